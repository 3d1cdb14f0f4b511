#ifndef PAGE_HOST_HASH_H
#define PAGE_HOST_HASH_H

#include <stdint.h>

/// SipHash-1-3 of the values of an entry, then of their classes.
struct hash {
  uint64_t v0, v1, v2, v3, classes;
};

static inline uint64_t rotated(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

static inline void hash_round(struct hash *h) {
  h->v0 += h->v1;
  h->v1 = rotated(h->v1, 13) ^ h->v0;
  h->v0 = rotated(h->v0, 32);
  h->v2 += h->v3;
  h->v3 = rotated(h->v3, 16) ^ h->v2;
  h->v0 += h->v3;
  h->v3 = rotated(h->v3, 21) ^ h->v0;
  h->v2 += h->v1;
  h->v1 = rotated(h->v1, 17) ^ h->v2;
  h->v2 = rotated(h->v2, 32);
}

static inline void hash_word(struct hash *h, uint64_t word) {
  h->v3 ^= word;
  hash_round(h);
  h->v0 ^= word;
}

static inline struct hash hash_begin(const uint64_t key[2]) {
  return (struct hash){
      key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
      key[1] ^ 0x7465646279746573, 0};
}

static inline uint64_t hash_end(struct hash *h) {
  // Three bits for each of twenty-one values at most.
  hash_word(h, h->classes);
  h->v2 ^= 0xff;
  for (int round = 0; round < 3; round++) hash_round(h);
  return h->v0 ^ h->v1 ^ h->v2 ^ h->v3;
}

#endif
