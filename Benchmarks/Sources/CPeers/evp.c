// OpenSSL's signatures, set up once and then repeated, as “openssl speed” does.
#include "peers.h"

#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct signer {
  enum peer_algorithm algorithm;
  EVP_PKEY *key;
  EVP_MD *sha256;
  EVP_MD_CTX *signing, *verifying;     // Ed25519
  EVP_PKEY_CTX *sign_key, *verify_key; // ES256
  uint8_t *message;
  size_t size;
  uint8_t signature[80];
  size_t signature_size;
};

static double failed(void) {
  fputs("OpenSSL: a signature failed\n", stderr);
  return -1;
}

static int sign(struct signer *signer) {
  signer->signature_size = sizeof signer->signature;
  if (signer->algorithm == PEER_ED25519)
    return EVP_DigestSign(signer->signing, signer->signature, &signer->signature_size, signer->message, signer->size);
  uint8_t digest[32];
  return EVP_Digest(signer->message, signer->size, digest, NULL, signer->sha256, NULL) == 1 &&
         EVP_PKEY_sign(signer->sign_key, signer->signature, &signer->signature_size, digest, sizeof digest) == 1;
}

static int verify(struct signer *signer) {
  if (signer->algorithm == PEER_ED25519)
    return EVP_DigestVerify(signer->verifying, signer->signature, signer->signature_size, signer->message,
                            signer->size) == 1;
  uint8_t digest[32];
  return EVP_Digest(signer->message, signer->size, digest, NULL, signer->sha256, NULL) == 1 &&
         EVP_PKEY_verify(signer->verify_key, signer->signature, signer->signature_size, digest, sizeof digest) == 1;
}

static int open_signer(struct signer *signer, enum peer_algorithm algorithm, size_t size) {
  *signer = (struct signer){.algorithm = algorithm, .message = calloc(1, size), .size = size};
  if (!signer->message) return 0;
  if (algorithm == PEER_ED25519) {
    signer->key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    signer->signing = EVP_MD_CTX_new();
    signer->verifying = EVP_MD_CTX_new();
    if (EVP_DigestSignInit(signer->signing, NULL, NULL, NULL, signer->key) != 1 ||
        EVP_DigestVerifyInit(signer->verifying, NULL, NULL, NULL, signer->key) != 1)
      return 0;
  } else {
    signer->key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    signer->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    signer->sign_key = EVP_PKEY_CTX_new_from_pkey(NULL, signer->key, NULL);
    signer->verify_key = EVP_PKEY_CTX_new_from_pkey(NULL, signer->key, NULL);
    if (EVP_PKEY_sign_init(signer->sign_key) != 1 || EVP_PKEY_verify_init(signer->verify_key) != 1) return 0;
  }
  return sign(signer);
}

static void close_signer(struct signer *signer) {
  EVP_MD_CTX_free(signer->signing);
  EVP_MD_CTX_free(signer->verifying);
  EVP_PKEY_CTX_free(signer->sign_key);
  EVP_PKEY_CTX_free(signer->verify_key);
  EVP_MD_free(signer->sha256);
  EVP_PKEY_free(signer->key);
  free(signer->message);
}

static double measure(enum peer_algorithm algorithm, size_t size, long count, int (*work)(struct signer *)) {
  struct signer signer;
  if (!open_signer(&signer, algorithm, size)) return failed();
  uint64_t start = 0;
  for (long turn = -count / 10; turn < count; turn++) {
    if (turn == 0) start = peer_cpu_now();
    if (!work(&signer)) return failed();
  }
  double each = (double)(peer_cpu_now() - start) / (double)count;
  close_signer(&signer);
  return each;
}

double evp_sign(enum peer_algorithm algorithm, size_t size, long count) {
  return measure(algorithm, size, count, sign);
}

double evp_verify(enum peer_algorithm algorithm, size_t size, long count) {
  return measure(algorithm, size, count, verify);
}

struct share {
  int core, signatures, verifications, done;
  size_t size;
  long count;
};

static void *work_share(void *argument) {
  struct share *share = argument;
  struct signer signer;
  peer_pin(share->core);
  if (!open_signer(&signer, PEER_ED25519, share->size)) return NULL;
  for (long turn = 0; turn < share->count; turn++) {
    for (int index = 0; index < share->signatures; index++)
      if (!sign(&signer)) return NULL;
    for (int index = 0; index < share->verifications; index++)
      if (!verify(&signer)) return NULL;
  }
  close_signer(&signer);
  share->done = 1;
  return NULL;
}

double evp_check_ins(int threads, int signatures, int verifications, size_t size, long count) {
  struct share shares[64];
  pthread_t handles[64];
  if (threads < 1 || threads > 64) return failed();
  uint64_t start = peer_now();
  for (int index = 0; index < threads; index++) {
    shares[index] = (struct share){.core = index,
                                   .signatures = signatures,
                                   .verifications = verifications,
                                   .size = size,
                                   .count = count / threads};
    if (pthread_create(&handles[index], NULL, work_share, &shares[index])) return peer_failed("a thread");
  }
  int done = 0;
  for (int index = 0; index < threads; index++) {
    pthread_join(handles[index], NULL);
    done += shares[index].done;
  }
  if (done < threads) return failed();
  return (double)(peer_now() - start) / (double)(count / threads * threads);
}
