// Raw sockets, as a careful C program would use them: non-blocking, no delay, one epoll.
#define _GNU_SOURCE
#include "peers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PREFIX = 4 };

static struct sockaddr_in loopback(uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int raw_listen(uint16_t *port) {
  struct sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 64) ||
      getsockname(listener, (struct sockaddr *)&address, &length)) {
    peer_failed("listening");
    return -1;
  }
  *port = ntohs(address.sin_port);
  return listener;
}

static int no_delay(int socket) {
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

static int dial(uint16_t port) {
  struct sockaddr_in address = loopback(port);
  int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (peer < 0 || connect(peer, (struct sockaddr *)&address, sizeof address)) {
    peer_failed("connecting");
    return -1;
  }
  return no_delay(peer);
}

static int accept_one(int listener) {
  int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (peer < 0) {
    peer_failed("accepting");
    return -1;
  }
  return no_delay(peer);
}

static int watch(int peer) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  int poller = epoll_create1(EPOLL_CLOEXEC);
  if (poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, peer, &event)) {
    peer_failed("epoll");
    return -1;
  }
  return poller;
}

// Waits for a whole frame. 1: it is there; 0: the other side has ended.
static int receive_frame(int poller, int peer, char *frame, size_t size) {
  size_t have = 0;
  while (have < size) {
    struct epoll_event event;
    if (epoll_wait(poller, &event, 1, -1) < 0 && errno != EINTR) return 0;
    ssize_t count = recv(peer, frame + have, size - have, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return 0;
    if (count > 0) have += (size_t)count;
  }
  return 1;
}

static int send_all(int peer, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = send(peer, bytes, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return 0;
    bytes += count;
    size -= (size_t)count;
  }
  return 1;
}

int raw_echo(uint16_t port, size_t size) {
  char *frame = malloc(PREFIX + size);
  int peer = dial(port);
  int poller = peer < 0 ? -1 : watch(peer);
  if (!frame || poller < 0) return -1;
  while (receive_frame(poller, peer, frame, PREFIX + size))
    if (!send_all(peer, frame, PREFIX + size)) break;
  close(poller);
  close(peer);
  free(frame);
  return 0;
}

double raw_round_trip(int listener, size_t size, long count) {
  char *frame = calloc(1, PREFIX + size);
  int peer = accept_one(listener);
  int poller = peer < 0 ? -1 : watch(peer);
  if (!frame || poller < 0) return -1;
  uint64_t start = 0;
  // The first tenth warms up.
  for (long turn = -count / 10; turn < count; turn++) {
    if (turn == 0) start = peer_now();
    if (!send_all(peer, frame, PREFIX + size) || !receive_frame(poller, peer, frame, PREFIX + size))
      return peer_failed("a round trip");
  }
  double each = (double)(peer_now() - start) / (double)count;
  close(poller);
  close(peer);
  free(frame);
  return each;
}

int raw_send(uint16_t port, size_t size, long count) {
  char *frame = calloc(1, PREFIX + size);
  int peer = dial(port);
  if (!frame || peer < 0) return -1;
  for (long turn = 0; turn < count; turn++)
    if (!send_all(peer, frame, PREFIX + size)) return -1;
  close(peer);
  free(frame);
  return 0;
}

double raw_receive(int listener, size_t size, long count) {
  enum { ROOM = 262144 };
  char *bytes = malloc(ROOM);
  int peer = accept_one(listener);
  if (!bytes || peer < 0) return -1;
  uint64_t start = 0, left = (uint64_t)count * (PREFIX + size);
  while (left > 0) {
    ssize_t taken = read(peer, bytes, ROOM);
    if (taken <= 0) return peer_failed("receiving");
    if (!start) start = peer_now();
    left -= (uint64_t)taken;
  }
  double each = (double)(peer_now() - start) / (double)count;
  close(peer);
  free(bytes);
  return each;
}

int raw_hold(uint16_t port, long count, int hears) {
  char byte = 1;
  for (long index = 0; index < count; index++) {
    int peer = dial(port);
    if (peer < 0) return -1;
    if (hears && recv(peer, &byte, 1, MSG_PEEK) != 1) return -1;
  }
  if (write(STDOUT_FILENO, &byte, 1) != 1) return -1;
  // The system closes the connections when this process ends.
  return read(STDIN_FILENO, &byte, 1) < 0 ? -1 : 0;
}
