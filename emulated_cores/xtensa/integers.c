#include "soft.h"

// What libgcc for the ESP8266 leaves to that chip's ROM: products and quotients
// of 32 and 64 bits.

uint32_t LUNA_SOFT(udivsi3)(uint32_t a, uint32_t b);
uint32_t LUNA_SOFT(umodsi3)(uint32_t a, uint32_t b);
int32_t LUNA_SOFT(divsi3)(int32_t a, int32_t b);
int32_t LUNA_SOFT(modsi3)(int32_t a, int32_t b);
uint64_t LUNA_SOFT(muldi3)(uint64_t a, uint64_t b);
uint64_t LUNA_SOFT(udivdi3)(uint64_t a, uint64_t b);
uint64_t LUNA_SOFT(umoddi3)(uint64_t a, uint64_t b);
int64_t LUNA_SOFT(divdi3)(int64_t a, int64_t b);
int64_t LUNA_SOFT(moddi3)(int64_t a, int64_t b);

// Binary long division from the first bit that is set; the quotient is in `a`
// at the end.
static uint32_t divide32(uint32_t a, uint32_t b, uint32_t *rest) {
  uint32_t left = 0;
  int bits = a == 0 ? 0 : 32 - __builtin_clz(a);
  a = bits == 0 ? 0 : a << (32 - bits);
  for (int i = 0; i < bits; ++i) {
    uint32_t carry = left >> 31;
    left = left << 1 | a >> 31;
    a <<= 1;
    if (carry || left >= b) {
      left -= b;
      a |= 1;
    }
  }
  *rest = left;
  return a;
}

static uint64_t divide64(uint64_t a, uint64_t b, uint64_t *rest) {
  uint64_t left = 0;
  int bits = a == 0 ? 0 : 64 - __builtin_clzll(a);
  a = bits == 0 ? 0 : a << (64 - bits);
  for (int i = 0; i < bits; ++i) {
    uint64_t carry = left >> 63;
    left = left << 1 | a >> 63;
    a <<= 1;
    if (carry || left >= b) {
      left -= b;
      a |= 1;
    }
  }
  *rest = left;
  return a;
}

static uint32_t magnitude32(int32_t a) {
  return a < 0 ? -(uint32_t)a : (uint32_t)a;
}

static uint64_t magnitude64(int64_t a) {
  return a < 0 ? -(uint64_t)a : (uint64_t)a;
}

uint32_t LUNA_SOFT(udivsi3)(uint32_t a, uint32_t b) {
  uint32_t rest;
  return divide32(a, b, &rest);
}

uint32_t LUNA_SOFT(umodsi3)(uint32_t a, uint32_t b) {
  uint32_t rest;
  divide32(a, b, &rest);
  return rest;
}

int32_t LUNA_SOFT(divsi3)(int32_t a, int32_t b) {
  uint32_t rest, quotient = divide32(magnitude32(a), magnitude32(b), &rest);
  return (int32_t)((a < 0) != (b < 0) ? -quotient : quotient);
}

int32_t LUNA_SOFT(modsi3)(int32_t a, int32_t b) {
  uint32_t rest;
  divide32(magnitude32(a), magnitude32(b), &rest);
  return (int32_t)(a < 0 ? -rest : rest);
}

uint64_t LUNA_SOFT(muldi3)(uint64_t a, uint64_t b) {
  uint32_t a_low = (uint32_t)a, b_low = (uint32_t)b;
  uint32_t crossed = (uint32_t)(a >> 32) * b_low + a_low * (uint32_t)(b >> 32);
  return luna_product64(a_low, b_low) + ((uint64_t)crossed << 32);
}

uint64_t LUNA_SOFT(udivdi3)(uint64_t a, uint64_t b) {
  uint64_t rest;
  return divide64(a, b, &rest);
}

uint64_t LUNA_SOFT(umoddi3)(uint64_t a, uint64_t b) {
  uint64_t rest;
  divide64(a, b, &rest);
  return rest;
}

int64_t LUNA_SOFT(divdi3)(int64_t a, int64_t b) {
  uint64_t rest, quotient = divide64(magnitude64(a), magnitude64(b), &rest);
  return (int64_t)((a < 0) != (b < 0) ? -quotient : quotient);
}

int64_t LUNA_SOFT(moddi3)(int64_t a, int64_t b) {
  uint64_t rest;
  divide64(magnitude64(a), magnitude64(b), &rest);
  return (int64_t)(a < 0 ? -rest : rest);
}
