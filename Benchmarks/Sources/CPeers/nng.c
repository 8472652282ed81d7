// NNG 1.5, by its message interface, which copies least.
#include "peers.h"

#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>
#include <nng/protocol/pipeline0/pull.h>
#include <nng/protocol/pipeline0/push.h>
#include <pthread.h>
#include <stdio.h>
#include <arpa/inet.h>

static double failed(const char *what, int error) {
  fprintf(stderr, "NNG: %s failed: %s\n", what, nng_strerror(error));
  return -1;
}

// A warm-up of a tenth, and then `count` round trips.
static double measure(nng_socket socket, size_t size, long count) {
  nng_msg *message;
  int error = nng_msg_alloc(&message, size);
  uint64_t start = 0;
  for (long turn = -count / 10; !error && turn < count; turn++) {
    if (turn == 0) start = peer_now();
    if ((error = nng_sendmsg(socket, message, 0))) break;
    error = nng_recvmsg(socket, &message, 0);
  }
  if (error) return failed("a round trip", error);
  nng_msg_free(message);
  return (double)(peer_now() - start) / (double)count;
}

static void echo(nng_socket socket) {
  nng_msg *message;
  while (nng_recvmsg(socket, &message, 0) == 0)
    if (nng_sendmsg(socket, message, 0)) break;
}

static int dial(nng_socket socket, uint16_t port) {
  char url[64];
  snprintf(url, sizeof url, "tcp://127.0.0.1:%u", port);
  return nng_dial(socket, url, NULL, 0);
}

static int listen_anywhere(nng_socket socket, uint16_t *port) {
  nng_listener listener;
  nng_sockaddr address;
  int error = nng_listen(socket, "tcp://127.0.0.1:0", &listener, 0);
  if (!error) error = nng_listener_get_addr(listener, NNG_OPT_LOCADDR, &address);
  if (!error) *port = ntohs(address.s_in.sa_port);
  return error;
}

int nng_echo(uint16_t port) {
  nng_socket socket;
  int error = nng_pair0_open(&socket);
  if (!error) error = dial(socket, port);
  if (error) return (int)failed("connecting", error);
  echo(socket);
  nng_close(socket);
  return 0;
}

double nng_round_trip(size_t size, long count, int (*start)(void *, uint16_t), void *context) {
  nng_socket socket;
  uint16_t port = 0;
  int error = nng_pair0_open(&socket);
  if (!error) error = listen_anywhere(socket, &port);
  if (error) return failed("listening", error);
  if (start(context, port)) return -1;
  double each = measure(socket, size, count);
  nng_close(socket);
  return each;
}

static void *echo_thread(void *argument) {
  echo(*(nng_socket *)argument);
  return NULL;
}

double nng_round_trip_in_process(size_t size, long count) {
  nng_socket near, far;
  pthread_t thread;
  int error = nng_pair0_open(&near);
  if (!error) error = nng_pair0_open(&far);
  if (!error) error = nng_listen(far, "inproc://round-trip", NULL, 0);
  if (!error) error = nng_dial(near, "inproc://round-trip", NULL, 0);
  if (error) return failed("connecting in the process", error);
  if (pthread_create(&thread, NULL, echo_thread, &far)) return peer_failed("a thread");
  double each = measure(near, size, count);
  nng_close(far);
  pthread_join(thread, NULL);
  nng_close(near);
  return each;
}

int nng_push(uint16_t port, size_t size, long count) {
  nng_socket socket;
  int error = nng_push0_open(&socket);
  if (!error) error = nng_socket_set_int(socket, NNG_OPT_SENDBUF, 1024);
  if (!error) error = dial(socket, port);
  for (long turn = 0; !error && turn < count; turn++) {
    nng_msg *message;
    error = nng_msg_alloc(&message, size);
    if (!error) error = nng_sendmsg(socket, message, 0);
  }
  if (error) return (int)failed("sending", error);
  // It has no way to wait until all has left: the receiver ends this process by closing the standard input.
  getchar();
  nng_close(socket);
  return 0;
}

double nng_pull(size_t size, long count, int (*start)(void *, uint16_t), void *context) {
  nng_socket socket;
  uint16_t port = 0;
  (void)size;
  int error = nng_pull0_open(&socket);
  if (!error) error = listen_anywhere(socket, &port);
  if (error) return failed("listening", error);
  if (start(context, port)) return -1;
  uint64_t began = 0;
  for (long turn = 0; turn < count; turn++) {
    nng_msg *message;
    if ((error = nng_recvmsg(socket, &message, 0))) return failed("receiving", error);
    if (!began) began = peer_now();
    nng_msg_free(message);
  }
  double each = (double)(peer_now() - began) / (double)(count - 1);
  nng_close(socket);
  return each;
}
