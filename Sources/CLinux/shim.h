// What Linux has for sockets and the Glibc module does not show.

#ifndef CHECKIN_CLINUX_H
#define CHECKIN_CLINUX_H

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// The Glibc module is built without _GNU_SOURCE, and does not declare these.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int sched_getaffinity(pid_t process, size_t size, cpu_set_t *cores);
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

// Enumeration cases and shifted bits come over as types of their own; these are plain numbers.
static const uint32_t checkin_epoll_in = EPOLLIN;
static const uint32_t checkin_epoll_out = EPOLLOUT;
static const uint32_t checkin_epoll_peer_finished = EPOLLRDHUP;
static const uint32_t checkin_epoll_hangup = EPOLLHUP;
static const uint32_t checkin_epoll_error = EPOLLERR;
static const uint32_t checkin_epoll_edge = (uint32_t)EPOLLET;

#endif
