#ifndef LUNA_PLAN_BYTES_H
#define LUNA_PLAN_BYTES_H

#include "luna/plan_saved.h"
#include "luna/vector.h"
#include "plan_run.h"

/// Bytes under construction: numbers are little-endian, texts have their length
/// before them.
typedef struct LunaPlanWriter {
  LUNA_VECTOR(uint8_t) bytes;
  LunaArena *arena;
} LunaPlanWriter;

/// Appends the lower `size` bytes of a number.
static inline void plan_write(LunaPlanWriter *writer, uint64_t number,
                              unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    *LUNA_VECTOR_ADD(writer->arena, &writer->bytes) =
        (uint8_t)(number >> (8 * i));
}

/// Bytes that are read; `is_damaged` once there were too few.
typedef struct LunaPlanReader {
  LunaPlanBytes bytes;
  uint64_t at;
  bool is_damaged;
} LunaPlanReader;

/// Reads a number of `size` bytes; 0 where there are too few.
static inline uint64_t plan_read(LunaPlanReader *reader, unsigned size) {
  uint64_t number = 0;
  reader->is_damaged |= reader->bytes.count - reader->at < size;
  for (unsigned i = 0; !reader->is_damaged && i < size; ++i)
    number |= (uint64_t)reader->bytes.items[reader->at++] << (8 * i);
  return number;
}

/// Appends a program, without its names.
void luna_plan_write_problem(LunaPlanWriter *writer,
                             const LunaProblem *problem);

/// Appends a text.
void luna_plan_write_text(LunaPlanWriter *writer, const char *text);

/// Appends the version of the planner: the digest of its sources.
void luna_plan_write_version(LunaPlanWriter *writer);

/// Returns the plan of a run that is complete.
LunaPlanBytes luna_plan_run_save(const LunaPlanRun *run);

#endif // LUNA_PLAN_BYTES_H
