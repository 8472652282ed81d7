// libcbor's reading of a signed envelope, and the least that any reader does.
#include "peers.h"

#include <cbor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double libcbor_decode(const uint8_t *body, size_t size, long count) {
  uint64_t start = 0;
  // libcbor 0.8 knows no tag 18 and refuses it, so it gets what is behind the tag.
  body++;
  size--;
  for (long turn = -count / 10; turn < count; turn++) {
    struct cbor_load_result result;
    if (turn == 0) start = peer_cpu_now();
    cbor_item_t *envelope = cbor_load(body, size, &result);
    if (!envelope || !cbor_isa_array(envelope)) return peer_failed("libcbor: the envelope");
    cbor_item_t *payload = cbor_array_get(envelope, 2);
    cbor_item_t *message = cbor_load(cbor_bytestring_handle(payload), cbor_bytestring_length(payload), &result);
    if (!message || !cbor_isa_map(message)) return peer_failed("libcbor: the payload");
    cbor_decref(&message);
    cbor_decref(&payload);
    cbor_decref(&envelope);
  }
  return (double)(peer_cpu_now() - start) / (double)count;
}

// Passes over one item with all that is in it; the next one's place, or 0.
static size_t walk(const uint8_t *bytes, size_t size, size_t place, uint64_t *sum) {
  uint64_t items = 1;
  while (items > 0) {
    if (place >= size) return 0;
    uint8_t type = bytes[place] >> 5, information = bytes[place] & 31;
    uint64_t argument = information;
    place++;
    if (information >= 24) {
      size_t more = (size_t)1 << (information - 24);
      if (information > 27 || size - place < more) return 0;
      argument = 0;
      while (more-- > 0) argument = argument << 8 | bytes[place++];
    }
    *sum += argument;
    items--;
    if (type == 2 || type == 3) {
      if (argument > size - place) return 0;
      place += argument;
    } else if (type == 4) {
      items += argument;
    } else if (type == 5) {
      items += 2 * argument;
    } else if (type == 6) {
      items++;
    }
  }
  return place;
}

double copy_and_walk(const uint8_t *body, size_t size, long count) {
  uint64_t sum = 0, start = 0;
  for (long turn = -count / 10; turn < count; turn++) {
    if (turn == 0) start = peer_cpu_now();
    uint8_t *copy = malloc(size);
    if (!copy) return peer_failed("memory");
    memcpy(copy, body, size);
    if (walk(copy, size, 0, &sum) != size) return peer_failed("the walk");
    free(copy);
  }
  double each = (double)(peer_cpu_now() - start) / (double)count;
  // So that the compiler cannot leave the walk out.
  return sum == 0 ? -1 : each;
}
