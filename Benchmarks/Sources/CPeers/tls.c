// OpenSSL's TLS 1.3 over memory BIOs: client and server in one thread, with the settings that swift-checkin has.
#include "peers.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>

struct tls_pair {
  SSL *client, *server;
  BIO *to_client, *to_server, *from_client, *from_server;
};

static double failed(const char *what) {
  fprintf(stderr, "OpenSSL: %s failed\n", what);
  ERR_print_errors_fp(stderr);
  return -1;
}

static SSL_CTX *make_context(const SSL_METHOD *method, const struct tls_identity *identity, const uint8_t *authority,
                             size_t authority_size) {
  SSL_CTX *context = SSL_CTX_new(method);
  const uint8_t *place = authority;
  X509 *root = d2i_X509(NULL, &place, (long)authority_size);
  if (!context || !root || SSL_CTX_use_certificate_ASN1(context, (int)identity->certificate_size, identity->certificate) != 1)
    return NULL;
  place = identity->key;
  EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &place, (long)identity->key_size);
  if (!key || SSL_CTX_use_PrivateKey(context, key) != 1) return NULL;
  EVP_PKEY_free(key);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root);
  X509_free(root);
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(context, 1);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  return context;
}

static int open_pair(struct tls_pair *pair, SSL_CTX *client, SSL_CTX *server) {
  *pair = (struct tls_pair){.client = SSL_new(client),
                            .server = SSL_new(server),
                            .to_client = BIO_new(BIO_s_mem()),
                            .to_server = BIO_new(BIO_s_mem()),
                            .from_client = BIO_new(BIO_s_mem()),
                            .from_server = BIO_new(BIO_s_mem())};
  SSL_set_bio(pair->client, pair->to_client, pair->from_client);
  SSL_set_bio(pair->server, pair->to_server, pair->from_server);
  SSL_set_connect_state(pair->client);
  SSL_set_accept_state(pair->server);
  return 1;
}

static void close_pair(struct tls_pair *pair) {
  SSL_free(pair->client);
  SSL_free(pair->server);
}

// What one side has to say is carried to the other: one copy out, one copy in, as with any transport.
static void carry(BIO *from, BIO *to) {
  char bytes[65536];
  int count;
  while (BIO_ctrl_pending(from) > 0 && (count = BIO_read(from, bytes, sizeof bytes)) > 0) BIO_write(to, bytes, count);
}

static int shake_hands(struct tls_pair *pair) {
  for (int turn = 0; turn < 8; turn++) {
    int client = SSL_do_handshake(pair->client);
    carry(pair->from_client, pair->to_server);
    int server = SSL_do_handshake(pair->server);
    carry(pair->from_server, pair->to_client);
    if (client == 1 && server == 1) {
      char byte;
      // The server's ticket is read: it is the sign that the client was accepted.
      SSL_peek(pair->client, &byte, 1);
      return 1;
    }
  }
  return 0;
}

double tls_stream(const struct tls_identity *client, const struct tls_identity *server, const uint8_t *authority,
                  size_t authority_size, size_t size, long count) {
  SSL_CTX *near = make_context(TLS_client_method(), client, authority, authority_size);
  SSL_CTX *far = make_context(TLS_server_method(), server, authority, authority_size);
  struct tls_pair pair;
  char *sent = calloc(1, size), *received = malloc(size);
  if (!near || !far || !sent || !received) return failed("setting up");
  if (!open_pair(&pair, near, far) || !shake_hands(&pair)) return failed("a handshake");
  uint64_t start = 0;
  for (long turn = -count / 10; turn < count; turn++) {
    if (turn == 0) start = peer_cpu_now();
    if (SSL_write(pair.client, sent, (int)size) != (int)size) return failed("writing");
    carry(pair.from_client, pair.to_server);
    size_t have = 0;
    while (have < size) {
      int taken = SSL_read(pair.server, received + have, (int)(size - have));
      if (taken <= 0) return failed("reading");
      have += (size_t)taken;
    }
  }
  double each = (double)(peer_cpu_now() - start) / (double)count;
  close_pair(&pair);
  SSL_CTX_free(near);
  SSL_CTX_free(far);
  free(sent);
  free(received);
  return each;
}

double tls_handshakes(const struct tls_identity *client, const struct tls_identity *server, const uint8_t *authority,
                      size_t authority_size, long count) {
  SSL_CTX *near = make_context(TLS_client_method(), client, authority, authority_size);
  SSL_CTX *far = make_context(TLS_server_method(), server, authority, authority_size);
  if (!near || !far) return failed("setting up");
  uint64_t start = 0;
  for (long turn = -count / 10; turn < count; turn++) {
    struct tls_pair pair;
    if (turn == 0) start = peer_cpu_now();
    if (!open_pair(&pair, near, far) || !shake_hands(&pair)) return failed("a handshake");
    close_pair(&pair);
  }
  double each = (double)(peer_cpu_now() - start) / (double)count;
  SSL_CTX_free(near);
  SSL_CTX_free(far);
  return each;
}
