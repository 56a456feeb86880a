#include "tflite_wire.h"

#include <string.h>

enum { VECTOR_REUSE = 4 };

static bool fault(LunaFlat *flat, size_t offset, const char *what) {
  if (!flat->fault) {
    flat->fault = what;
    flat->fault_offset = offset;
  }
  return false;
}

// Returns true if `count` bytes from `offset` on lie in the file.
static bool holds(LunaFlat *flat, size_t offset, uint64_t count) {
  if (flat->fault)
    return false;
  if (offset > flat->size_bytes || count > flat->size_bytes - offset)
    return fault(flat, offset, "ends before its contents do");
  return true;
}

// The bytes of a little-endian number.
static uint64_t number(const LunaFlat *flat, size_t offset, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i)
    value |= (uint64_t)flat->data[offset + i] << (8 * i);
  return value;
}

static int64_t sign_extend(uint64_t value, unsigned bytes) {
  uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
  return (int64_t)((value ^ sign) - sign);
}

static float as_f32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static LunaFlatTable table_at(LunaFlat *flat, size_t offset) {
  LunaFlatTable absent = {0}, table = {.offset = offset};
  if (!holds(flat, offset, 4))
    return absent;
  int64_t vtable = (int64_t)offset - sign_extend(number(flat, offset, 4), 4);
  if (vtable < 0 || (uint64_t)vtable > flat->size_bytes) {
    fault(flat, offset, "has a table whose layout lies outside of it");
    return absent;
  }
  table.vtable = (size_t)vtable;
  if (!holds(flat, table.vtable, 4))
    return absent;
  table.vtable_bytes = (uint16_t)number(flat, table.vtable, 2);
  table.table_bytes = (uint16_t)number(flat, table.vtable + 2, 2);
  if (table.vtable_bytes < 4 || table.table_bytes < 4) {
    fault(flat, table.vtable, "has a malformed table");
    return absent;
  }
  if (!holds(flat, table.vtable, table.vtable_bytes) ||
      !holds(flat, offset, table.table_bytes))
    return absent;
  return table;
}

LunaFlatTable luna_flat_root(LunaFlat *flat, const char identifier[4]) {
  LunaFlatTable absent = {0};
  if (flat->size_bytes > INT32_MAX) {
    fault(flat, 0, "is larger than 2 GiB");
    return absent;
  }
  if (!holds(flat, 0, 8))
    return absent;
  if (memcmp(flat->data + 4, identifier, 4) != 0) {
    fault(flat, 4, "lacks the identifier of its format");
    return absent;
  }
  return table_at(flat, (size_t)number(flat, 0, 4));
}

// Returns the place of a field of `bytes` bytes, or 0 when it is absent.
static size_t field_at(LunaFlat *flat, LunaFlatTable table, unsigned field,
                       unsigned bytes) {
  unsigned slot = 4 + 2 * field;
  if (flat->fault || table.offset == 0 || slot + 2 > table.vtable_bytes)
    return 0;
  unsigned offset = (unsigned)number(flat, table.vtable + slot, 2);
  if (offset == 0)
    return 0;
  if (offset + bytes > table.table_bytes) {
    fault(flat, table.vtable + slot, "has a field outside of its table");
    return 0;
  }
  return table.offset + offset;
}

int64_t luna_flat_i8(LunaFlat *flat, LunaFlatTable table, unsigned field,
                     int64_t absent) {
  size_t at = field_at(flat, table, field, 1);
  return at ? sign_extend(number(flat, at, 1), 1) : absent;
}

int64_t luna_flat_i32(LunaFlat *flat, LunaFlatTable table, unsigned field,
                      int64_t absent) {
  size_t at = field_at(flat, table, field, 4);
  return at ? sign_extend(number(flat, at, 4), 4) : absent;
}

int64_t luna_flat_u32(LunaFlat *flat, LunaFlatTable table, unsigned field,
                      int64_t absent) {
  size_t at = field_at(flat, table, field, 4);
  return at ? (int64_t)number(flat, at, 4) : absent;
}

bool luna_flat_bool(LunaFlat *flat, LunaFlatTable table, unsigned field,
                    bool absent) {
  size_t at = field_at(flat, table, field, 1);
  return at ? flat->data[at] != 0 : absent;
}

float luna_flat_f32(LunaFlat *flat, LunaFlatTable table, unsigned field,
                    float absent) {
  size_t at = field_at(flat, table, field, 4);
  return at ? as_f32((uint32_t)number(flat, at, 4)) : absent;
}

//===----------------------------------------------------------------------===//
// What a distance leads to
//===----------------------------------------------------------------------===//

// Returns where the distance at `at` leads. A distance of 0 would be a field
// that is its own contents.
static size_t follow(LunaFlat *flat, size_t at) {
  size_t distance = (size_t)number(flat, at, 4);
  if (distance == 0 || distance > flat->size_bytes - at) {
    fault(flat, at, "has an offset that leads outside of it");
    return 0;
  }
  return at + distance;
}

LunaFlatTable luna_flat_table(LunaFlat *flat, LunaFlatTable table,
                              unsigned field) {
  LunaFlatTable absent = {0};
  size_t at = field_at(flat, table, field, 4);
  size_t target = at ? follow(flat, at) : 0;
  return target ? table_at(flat, target) : absent;
}

LunaFlatVector luna_flat_vector(LunaFlat *flat, LunaFlatTable table,
                                unsigned field, unsigned element_bytes) {
  LunaFlatVector absent = {0}, vector = {0};
  size_t at = field_at(flat, table, field, 4);
  size_t target = at ? follow(flat, at) : 0;
  if (target == 0 || !holds(flat, target, 4))
    return absent;
  vector.count = (uint32_t)number(flat, target, 4);
  vector.offset = target + 4;
  uint64_t bytes = (uint64_t)vector.count * element_bytes;
  if (!holds(flat, vector.offset, bytes))
    return absent;
  flat->vector_bytes += bytes;
  if (flat->vector_bytes > (uint64_t)VECTOR_REUSE * flat->size_bytes) {
    fault(flat, target, "uses the same contents many times over");
    return absent;
  }
  return vector;
}

int32_t luna_flat_i32_at(const LunaFlat *flat, LunaFlatVector vector,
                         uint32_t i) {
  return (int32_t)sign_extend(number(flat, vector.offset + 4 * (size_t)i, 4),
                              4);
}

int64_t luna_flat_i64_at(const LunaFlat *flat, LunaFlatVector vector,
                         uint32_t i) {
  return sign_extend(number(flat, vector.offset + 8 * (size_t)i, 8), 8);
}

float luna_flat_f32_at(const LunaFlat *flat, LunaFlatVector vector,
                       uint32_t i) {
  return as_f32((uint32_t)number(flat, vector.offset + 4 * (size_t)i, 4));
}

LunaFlatTable luna_flat_table_at(LunaFlat *flat, LunaFlatVector vector,
                                 uint32_t i) {
  LunaFlatTable absent = {0};
  if (flat->fault)
    return absent;
  size_t target = follow(flat, vector.offset + 4 * (size_t)i);
  return target ? table_at(flat, target) : absent;
}
