// What the benchmarks compare with, in C: the same work without swift-checkin.
//
// Functions that measure answer nanoseconds for one unit of work, such as a round trip, or a number below zero after
// they have said on the standard error what failed. Everything runs on loopback or in memory.
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>
#include <stdint.h>

/// Nanoseconds on a clock that nobody sets.
uint64_t peer_now(void);
/// Nanoseconds that this process has worked, without those in which others had the core: for work that never waits.
uint64_t peer_cpu_now(void);
/// Says what failed, with the system's reason; answers -1.
double peer_failed(const char *what);
/// Lets the calling thread, and threads that it makes, run on this core alone. 0: done.
int peer_pin(int core);
/// Two ends of a pipe that no other program inherits, the reading one first. 0: done.
int peer_pipe(int ends[2]);
/// Lets them run on the first two cores.
int peer_pin_two(void);

// Raw sockets. -------------------------------------------------------------------------------------------------------

/// A socket that listens on loopback, at a port that the system chose; -1: failed.
int raw_listen(uint16_t *port);
/// Sends back frames of 4 + `size` bytes until the other side ends.
int raw_echo(uint16_t port, size_t size);
/// Accepts one connection; a frame of 4 + `size` bytes goes there and back `count` times. Both sides wait in epoll.
double raw_round_trip(int listener, size_t size, long count);
/// Writes `count` frames of 4 + `size` bytes.
int raw_send(uint16_t port, size_t size, long count);
/// Accepts one connection and reads that; the time from the first byte to the last.
double raw_receive(int listener, size_t size, long count);
/// Opens `count` connections, waits for each to be spoken to if `hears`, writes a byte on the standard output, and
/// holds them until the standard input ends.
int raw_hold(uint16_t port, long count, int hears);

// NNG. ---------------------------------------------------------------------------------------------------------------

int nng_echo(uint16_t port);
/// `start` is called with the port when it listens, to start the other side.
double nng_round_trip(size_t size, long count, int (*start)(void *, uint16_t), void *context);
double nng_round_trip_in_process(size_t size, long count);
int nng_push(uint16_t port, size_t size, long count);
double nng_pull(size_t size, long count, int (*start)(void *, uint16_t), void *context);

// ZeroMQ. ------------------------------------------------------------------------------------------------------------

int zmq_echo(uint16_t port, size_t size);
double zmq_round_trip(size_t size, long count, int (*start)(void *, uint16_t), void *context);
double zmq_round_trip_in_process(size_t size, long count);
int zmq_push(uint16_t port, size_t size, long count);
double zmq_pull(size_t size, long count, int (*start)(void *, uint16_t), void *context);

// CBOR. --------------------------------------------------------------------------------------------------------------

/// libcbor reads a signed envelope, and the payload in it.
double libcbor_decode(const uint8_t *body, size_t size, long count);
/// The lower bound: copies the envelope once and passes over the head of each of its items, and judges nothing.
double copy_and_walk(const uint8_t *body, size_t size, long count);

// OpenSSL's signatures, in loops that set up as little as they can. --------------------------------------------------

enum peer_algorithm { PEER_ED25519, PEER_ES256 };

double evp_sign(enum peer_algorithm algorithm, size_t size, long count);
double evp_verify(enum peer_algorithm algorithm, size_t size, long count);
/// `threads` threads, each on a core of its own, do the signatures of `count` check-ins in all.
double evp_check_ins(int threads, int signatures, int verifications, size_t size, long count);

// OpenSSL's TLS 1.3 over memory BIOs, both sides in one thread. ------------------------------------------------------

struct tls_identity {
  const uint8_t *key; // PKCS#8, DER
  size_t key_size;
  const uint8_t *certificate; // DER
  size_t certificate_size;
};

/// `size` bytes from client to server, `count` times.
double tls_stream(const struct tls_identity *client, const struct tls_identity *server, const uint8_t *authority,
                  size_t authority_size, size_t size, long count);
/// Mutual handshakes, each with connections of its own.
double tls_handshakes(const struct tls_identity *client, const struct tls_identity *server, const uint8_t *authority,
                      size_t authority_size, long count);

// SQLite. ------------------------------------------------------------------------------------------------------------

/// Inserts `count` rows like those of a ledger into a new file, `group` in each transaction, each durable
/// (`synchronous=FULL`, write-ahead log).
double sqlite_group_commit(const char *path, long group, long count);
/// Puts `count` such rows into a ledger that is there, in one transaction.
double sqlite_fill(const char *path, long count);

#endif
