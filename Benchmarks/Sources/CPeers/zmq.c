// ZeroMQ 4.3, by the interface that its own measurements use.
#include "peers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static double failed(const char *what) {
  fprintf(stderr, "ZeroMQ: %s failed: %s\n", what, zmq_strerror(zmq_errno()));
  return -1;
}

static double measure(void *socket, size_t size, long count) {
  char *message = calloc(1, size);
  uint64_t start = 0;
  if (!message) return peer_failed("memory");
  for (long turn = -count / 10; turn < count; turn++) {
    if (turn == 0) start = peer_now();
    if (zmq_send(socket, message, size, 0) < 0 || zmq_recv(socket, message, size, 0) < 0)
      return failed("a round trip");
  }
  double each = (double)(peer_now() - start) / (double)count;
  free(message);
  return each;
}

// Echoes until a message of no bytes comes.
static int echo(void *socket, size_t size) {
  char *message = malloc(size);
  int count;
  if (!message) return -1;
  while ((count = zmq_recv(socket, message, size, 0)) > 0)
    if (zmq_send(socket, message, (size_t)count, 0) < 0) break;
  free(message);
  return 0;
}

static int dial(void *socket, uint16_t port) {
  char url[64];
  snprintf(url, sizeof url, "tcp://127.0.0.1:%u", port);
  return zmq_connect(socket, url);
}

static int listen_anywhere(void *socket, uint16_t *port) {
  char url[128];
  size_t size = sizeof url;
  if (zmq_bind(socket, "tcp://127.0.0.1:*") || zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, url, &size)) return -1;
  *port = (uint16_t)atoi(strrchr(url, ':') + 1);
  return 0;
}

int zmq_echo(uint16_t port, size_t size) {
  void *context = zmq_ctx_new();
  void *socket = zmq_socket(context, ZMQ_PAIR);
  if (!socket || dial(socket, port)) return (int)failed("connecting");
  int result = echo(socket, size);
  zmq_close(socket);
  zmq_ctx_term(context);
  return result;
}

double zmq_round_trip(size_t size, long count, int (*start)(void *, uint16_t), void *context) {
  uint16_t port;
  void *library = zmq_ctx_new();
  void *socket = zmq_socket(library, ZMQ_PAIR);
  if (!socket || listen_anywhere(socket, &port)) return failed("listening");
  if (start(context, port)) return -1;
  double each = measure(socket, size, count);
  zmq_send(socket, "", 0, 0);
  zmq_close(socket);
  zmq_ctx_term(library);
  return each;
}

struct in_process {
  void *socket;
  size_t size;
};

static void *echo_thread(void *argument) {
  struct in_process *far = argument;
  echo(far->socket, far->size);
  return NULL;
}

double zmq_round_trip_in_process(size_t size, long count) {
  void *library = zmq_ctx_new();
  void *near = zmq_socket(library, ZMQ_PAIR);
  struct in_process far = {.socket = zmq_socket(library, ZMQ_PAIR), .size = size};
  pthread_t thread;
  if (!near || !far.socket || zmq_bind(far.socket, "inproc://round-trip") || zmq_connect(near, "inproc://round-trip"))
    return failed("connecting in the process");
  if (pthread_create(&thread, NULL, echo_thread, &far)) return peer_failed("a thread");
  double each = measure(near, size, count);
  zmq_send(near, "", 0, 0);
  pthread_join(thread, NULL);
  zmq_close(near);
  zmq_close(far.socket);
  zmq_ctx_term(library);
  return each;
}

int zmq_push(uint16_t port, size_t size, long count) {
  void *library = zmq_ctx_new();
  void *socket = zmq_socket(library, ZMQ_PUSH);
  char *message = calloc(1, size);
  if (!message || !socket || dial(socket, port)) return (int)failed("connecting");
  for (long turn = 0; turn < count; turn++)
    if (zmq_send(socket, message, size, 0) < 0) return (int)failed("sending");
  free(message);
  // Both wait until all has left.
  zmq_close(socket);
  zmq_ctx_term(library);
  return 0;
}

double zmq_pull(size_t size, long count, int (*start)(void *, uint16_t), void *context) {
  uint16_t port;
  void *library = zmq_ctx_new();
  void *socket = zmq_socket(library, ZMQ_PULL);
  char *message = malloc(size);
  if (!message || !socket || listen_anywhere(socket, &port)) return failed("listening");
  if (start(context, port)) return -1;
  uint64_t began = 0;
  for (long turn = 0; turn < count; turn++) {
    if (zmq_recv(socket, message, size, 0) < 0) return failed("receiving");
    if (!began) began = peer_now();
  }
  double each = (double)(peer_now() - began) / (double)(count - 1);
  free(message);
  zmq_close(socket);
  zmq_ctx_term(library);
  return each;
}
