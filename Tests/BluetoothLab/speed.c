// What an L2CAP channel carries when a C program has both ends: what the transport in Swift is compared with
// (Tests/Fixtures/ChannelSpeed does the same). “compare-speed” runs the two in turn.
//
//   speed WAY serve ADDRESS PSM                    serves the controller with that address, until it is ended
//   speed WAY dial ADDRESS PEER PSM ROUNDS BYTES   measures; prints nanoseconds per round trip, and bytes per second
//
// WAY is “same”: it does what the transport does. It waits with a bound until there is something to receive, as a program
// must that has several phones on one thread; and before it receives it asks how much is unread, since Linux may hand out
// packets in the wrong order where that is a lot (Documentation/Bluetooth.md). Or WAY is “bare”: it waits in the receive
// itself, and asks nothing.
//
// A dialler sends eight bytes: how many messages of 64 bytes it will send one after the other, each of which is sent
// back; and how many bytes follow then, the end of which is answered by one byte. Low byte first.

#include <bluetooth/bluetooth.h>
#include <bluetooth/l2cap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// As the transport has it: packets of 247 bytes, two of which are their length.
enum { MTU = 247, WRITE = 245, MESSAGE = 64, CHUNK = 16384, PATIENCE = 60 };

// The epoll instance with the channel; -1 where nobody waits before receiving.
static int waiting = -1;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static struct sockaddr_l2 address_of(const char *text, int psm) {
  struct sockaddr_l2 address = {.l2_family = AF_BLUETOOTH, .l2_psm = htobs(psm), .l2_bdaddr_type = BDADDR_LE_PUBLIC};
  unsigned byte[6];
  if (sscanf(text, "%x:%x:%x:%x:%x:%x", &byte[5], &byte[4], &byte[3], &byte[2], &byte[1], &byte[0]) != 6) {
    fprintf(stderr, "speed: %s is no address\n", text);
    exit(64);
  }
  for (int index = 0; index < 6; index++) address.l2_bdaddr.b[index] = byte[index];
  return address;
}

static int bound_socket(const char *text, int psm) {
  struct sockaddr_l2 own = address_of(text, psm);
  struct timeval patience = {.tv_sec = PATIENCE};
  uint16_t mtu = MTU;
  int channel = socket(AF_BLUETOOTH, SOCK_STREAM | SOCK_CLOEXEC, BTPROTO_L2CAP);
  if (channel < 0 || bind(channel, (struct sockaddr *)&own, sizeof own) != 0) fail("speed: socket");
  if (setsockopt(channel, SOL_BLUETOOTH, BT_RCVMTU, &mtu, sizeof mtu) != 0) fail("speed: BT_RCVMTU");
  setsockopt(channel, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return channel;
}

static void send_all(int channel, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(channel, bytes, count < WRITE ? count : WRITE, MSG_NOSIGNAL);
    if (sent <= 0) fail("speed: send");
    bytes += sent;
    count -= sent;
  }
}

static void watch(int channel) {
  struct epoll_event event = {.events = EPOLLIN};
  if (waiting >= 0 && epoll_ctl(waiting, EPOLL_CTL_ADD, channel, &event) != 0) fail("speed: epoll_ctl");
}

// At most so many bytes; 0 at the end.
static size_t receive_some(int channel, uint8_t *bytes, size_t count) {
  if (waiting >= 0) {
    struct epoll_event event;
    uint32_t memory[9] = {0};
    socklen_t length = sizeof memory;
    if (epoll_wait(waiting, &event, 1, PATIENCE * 1000) != 1) fail("speed: epoll_wait");
    if (getsockopt(channel, SOL_SOCKET, SO_MEMINFO, memory, &length) != 0) fail("speed: SO_MEMINFO");
    if (memory[0] >= memory[1] / 2) usleep(100000);
  }
  ssize_t received = recv(channel, bytes, count, 0);
  if (received < 0) fail("speed: recv");
  return received;
}

static void receive_all(int channel, uint8_t *bytes, size_t count) {
  while (count > 0) {
    size_t received = receive_some(channel, bytes, count);
    if (received == 0) {
      fprintf(stderr, "speed: the peer has ended\n");
      exit(1);
    }
    bytes += received;
    count -= received;
  }
}

static uint32_t number(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void serve_one(int channel) {
  uint8_t bytes[CHUNK];
  watch(channel);
  receive_all(channel, bytes, 8);
  uint32_t rounds = number(bytes), count = number(bytes + 4);
  for (; rounds > 0; rounds--) {
    receive_all(channel, bytes, MESSAGE);
    send_all(channel, bytes, MESSAGE);
  }
  while (count > 0) {
    size_t received = receive_some(channel, bytes, count < CHUNK ? count : CHUNK);
    if (received == 0) return;
    count -= received;
  }
  send_all(channel, bytes, 1);
  // The dialler ends it, which may read as an error.
  (void)!recv(channel, bytes, 1, 0);
}

static void serve(const char *own, int psm) {
  int listener = bound_socket(own, psm);
  if (listen(listener, 5) != 0) fail("speed: listen");
  for (;;) {
    int channel = accept(listener, NULL, NULL);
    if (channel < 0) fail("speed: accept");
    serve_one(channel);
    close(channel);
  }
}

static void dial(const char *own, const char *peer, int psm, uint32_t rounds, uint32_t count) {
  struct sockaddr_l2 address = address_of(peer, psm);
  int channel = bound_socket(own, 0);
  if (connect(channel, (struct sockaddr *)&address, sizeof address) != 0) fail("speed: connect");
  watch(channel);
  uint8_t bytes[CHUNK] = {rounds, rounds >> 8, rounds >> 16, rounds >> 24, count, count >> 8, count >> 16, count >> 24};
  send_all(channel, bytes, 8);
  int64_t start = now();
  for (uint32_t round = 0; round < rounds; round++) {
    send_all(channel, bytes, MESSAGE);
    receive_all(channel, bytes, MESSAGE);
  }
  int64_t middle = now();
  for (uint32_t left = count; left > 0;) {
    size_t size = left < CHUNK ? left : CHUNK;
    send_all(channel, bytes, size);
    left -= size;
  }
  receive_all(channel, bytes, 1);
  int64_t end = now();
  printf("%lld %lld\n", (long long)(middle - start) / (rounds ? rounds : 1),
         (long long)(count * 1000000000.0 / (end - middle)));
  close(channel);
}

int main(int count, char **arguments) {
  int waits = count > 1 && strcmp(arguments[1], "same") == 0;
  if (waits) waiting = epoll_create1(EPOLL_CLOEXEC);
  if (!waits && (count < 2 || strcmp(arguments[1], "bare") != 0)) count = 0;
  if (count == 5 && strcmp(arguments[2], "serve") == 0) {
    serve(arguments[3], strtol(arguments[4], NULL, 0));
  } else if (count == 8 && strcmp(arguments[2], "dial") == 0) {
    dial(arguments[3], arguments[4], strtol(arguments[5], NULL, 0), strtoul(arguments[6], NULL, 0),
         strtoul(arguments[7], NULL, 0));
  } else {
    fprintf(stderr, "usage: speed same|bare serve ADDRESS PSM\n       speed same|bare dial ADDRESS PEER PSM ROUNDS BYTES\n");
    return 64;
  }
  return 0;
}
