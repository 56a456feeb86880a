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

// Binary long division; the quotient is in `a` at the end.
static uint32_t divide32(uint32_t a, uint32_t b, uint32_t *rest) {
  uint32_t left = 0;
  for (int i = 0; i < 32; ++i) {
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
  for (int i = 0; i < 64; ++i) {
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

// The product of two numbers of 32 bits, from parts of 16.
static uint64_t multiply32(uint32_t a, uint32_t b) {
  uint32_t a_low = a & 0xffff, a_high = a >> 16;
  uint32_t b_low = b & 0xffff, b_high = b >> 16;
  uint32_t low = a_low * b_low;
  uint32_t middle = a_high * b_low + (low >> 16);
  uint32_t other = a_low * b_high + (middle & 0xffff);
  uint32_t high = a_high * b_high + (middle >> 16) + (other >> 16);
  return (uint64_t)high << 32 | (other << 16 | (low & 0xffff));
}

uint64_t LUNA_SOFT(muldi3)(uint64_t a, uint64_t b) {
  uint32_t a_low = (uint32_t)a, b_low = (uint32_t)b;
  uint32_t crossed = (uint32_t)(a >> 32) * b_low + a_low * (uint32_t)(b >> 32);
  return multiply32(a_low, b_low) + ((uint64_t)crossed << 32);
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
