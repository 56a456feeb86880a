#include "model_pieces.h"

#include <string.h>

#include "luna/checked.h"
#include "luna/map.h"

// Granules that all accesses may have together: seconds of work.
enum { GRANULES_MAX = 1 << 24 };

//===----------------------------------------------------------------------===//
// Runs and granules of a slice
//===----------------------------------------------------------------------===//

// The bytes in a row at the end of each index, and the dimensions before them.
typedef struct Runs {
  int64_t bytes;
  uint32_t rank;
} Runs;

static const LunaModelDim *dims_of(const LunaPartition *partition,
                                   const LunaModelSlice *slice) {
  return slice->dim_count > 0 ? &partition->model->dims.items[slice->first_dim]
                              : NULL;
}

static Runs runs_of(const LunaPartition *partition,
                    const LunaModelSlice *slice) {
  const LunaModelDim *dims = dims_of(partition, slice);
  Runs runs = {.bytes = slice->element_bytes, .rank = slice->dim_count};
  while (runs.rank > 0 && (dims[runs.rank - 1].extent == 1 ||
                           dims[runs.rank - 1].stride_bytes == runs.bytes))
    runs.bytes *= dims[--runs.rank].extent;
  return runs;
}

// What has no size holds nothing.
static int64_t value_bytes(const LunaPartition *partition, LunaModelId value) {
  int64_t bytes = partition->model->values.items[value].bytes;
  return bytes > 0 ? bytes : 0;
}

static bool is_whole(const LunaPartition *partition,
                     const LunaModelSlice *slice) {
  return slice->offset_bytes == 0 &&
         slice->bytes == value_bytes(partition, slice->value) &&
         runs_of(partition, slice).bytes == slice->bytes;
}

static void divide_granule(LunaPartition *partition,
                           const LunaModelSlice *slice) {
  Runs runs = runs_of(partition, slice);
  int64_t granule = luna_gcd(partition->granule_bytes, runs.bytes);
  granule = luna_gcd(granule, slice->offset_bytes);
  granule = luna_gcd(granule, value_bytes(partition, slice->value));
  const LunaModelDim *dims = dims_of(partition, slice);
  for (uint32_t i = 0; i < runs.rank; ++i)
    if (dims[i].extent > 1)
      granule = luna_gcd(granule, dims[i].stride_bytes);
  partition->granule_bytes = granule;
}

static LunaGranules granules_of(const LunaPartition *partition,
                                const LunaModelSlice *slice) {
  Runs runs = runs_of(partition, slice);
  int64_t granule = partition->granule_bytes, index[LUNA_MODEL_RANK_MAX] = {0};
  const LunaModelDim *dims = dims_of(partition, slice);
  uint64_t total = (uint64_t)(slice->bytes / granule), count = 0;
  uint32_t *items = LUNA_ARENA_ARRAY(partition->arena, uint32_t, total);
  while (count < total) {
    int64_t at = slice->offset_bytes;
    for (uint32_t i = 0; i < runs.rank; ++i)
      at += index[i] * dims[i].stride_bytes;
    for (int64_t run = 0; run < runs.bytes; run += granule)
      items[count++] = (uint32_t)((at + run) / granule);
    for (uint32_t i = runs.rank; i-- > 0;) {
      if (++index[i] < dims[i].extent)
        break;
      index[i] = 0;
    }
  }
  return (LunaGranules){items, count};
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

// Cuts each piece of a buffer into those whose granules have the same key.
static bool cut_by(LunaPartition *partition, uint32_t buffer,
                   const uint32_t *keys) {
  LunaPieces *pieces = &partition->buffers[buffer];
  LunaArena arena = {0};
  LunaMap numbers = {0};
  uint64_t count =
      (uint64_t)(value_bytes(partition, buffer) / partition->granule_bytes);
  uint64_t last = UINT64_MAX;
  uint32_t number = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t key = (uint64_t)pieces->piece_of[i] << 32 | keys[i];
    if (key != last)
      number = luna_map_add(&numbers, &arena, luna_map_number(key));
    pieces->piece_of[i] = number;
    last = key;
  }
  bool is_cut = numbers.keys.count > pieces->piece_count;
  pieces->piece_count = (uint32_t)numbers.keys.count;
  luna_arena_destroy(&arena);
  return is_cut;
}

static uint32_t *make_keys(const LunaPartition *partition, uint32_t buffer,
                           LunaArena *arena) {
  return LUNA_ARENA_ARRAY(arena, uint32_t,
                          value_bytes(partition, buffer) /
                              partition->granule_bytes);
}

// Cuts the pieces of one slice as those of the other are cut, and off the rest.
static bool cut_like(LunaPartition *partition, uint32_t slice, uint32_t other) {
  LunaArena arena = {0};
  uint32_t buffer = partition->model->slices.items[slice].value;
  LunaGranules here = partition->granules[slice];
  LunaGranules there = partition->granules[other];
  const LunaPieces *pieces =
      &partition->buffers[partition->model->slices.items[other].value];
  uint32_t *keys = make_keys(partition, buffer, &arena);
  for (uint64_t i = 0; i < here.count; ++i)
    keys[here.items[i]] = 1 + pieces->piece_of[there.items[i]];
  bool is_cut = cut_by(partition, buffer, keys);
  luna_arena_destroy(&arena);
  return is_cut;
}

static LunaPieces *buffer_of(const LunaPartition *partition, uint32_t slice) {
  return &partition->buffers[partition->model->slices.items[slice].value];
}

// Returns true if a slice is one of a split buffer, and counts.
static bool is_split(const LunaPartition *partition, uint32_t slice) {
  return partition->is_cut[slice] && buffer_of(partition, slice)->is_split;
}

// A buffer is split where a part of it is accessed, or where one is that copies
// connect it with.
static void mark_split(LunaPartition *partition) {
  for (uint32_t i = 0; i < partition->model->slices.count; ++i)
    buffer_of(partition, i)->is_split |=
        partition->is_cut[i] &&
        !is_whole(partition, &partition->model->slices.items[i]);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (uint64_t i = 0; i < partition->copies.count; ++i) {
      LunaSliceCopy copy = partition->copies.items[i];
      bool *from = &buffer_of(partition, copy.from)->is_split;
      bool *to = &buffer_of(partition, copy.to)->is_split;
      has_changed |= *from != *to;
      *from = *to = *from || *to;
    }
  }
}

// Lists the granules of the slices of split buffers. Returns false if there are
// too many.
static bool list_granules(LunaPartition *partition) {
  for (uint32_t i = 0; i < partition->model->slices.count; ++i)
    if (is_split(partition, i))
      divide_granule(partition, &partition->model->slices.items[i]);
  int64_t work = 0;
  for (uint32_t i = 0; i < partition->model->slices.count; ++i) {
    if (is_split(partition, i))
      work += value_bytes(partition, partition->model->slices.items[i].value) /
              partition->granule_bytes;
    if (work > GRANULES_MAX)
      return false;
  }
  partition->granules = LUNA_ARENA_ARRAY(partition->arena, LunaGranules,
                                         partition->model->slices.count);
  for (uint32_t i = 0; i < partition->model->slices.count; ++i)
    if (is_split(partition, i))
      partition->granules[i] =
          granules_of(partition, &partition->model->slices.items[i]);
  return true;
}

static int64_t alignment_at(int64_t offset_bytes, int64_t align_bytes) {
  while (offset_bytes % align_bytes != 0)
    align_bytes /= 2;
  return align_bytes;
}

static void measure(const LunaPartition *partition, LunaModelId value,
                    int64_t align_bytes) {
  LunaPieces *pieces = &partition->buffers[value];
  int64_t bytes = value_bytes(partition, value);
  uint32_t count = pieces->piece_count;
  pieces->piece_bytes = LUNA_ARENA_ARRAY(partition->arena, int64_t, count);
  pieces->piece_align = LUNA_ARENA_ARRAY(partition->arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i)
    pieces->piece_align[i] = align_bytes;
  if (!pieces->is_split) {
    pieces->piece_bytes[0] = bytes;
    return;
  }
  for (int64_t at = 0; at < bytes; at += partition->granule_bytes) {
    const uint32_t *piece = &pieces->piece_of[at / partition->granule_bytes];
    pieces->piece_bytes[*piece] += partition->granule_bytes;
    if (at == 0 || piece[-1] != piece[0])
      pieces->piece_align[*piece] =
          alignment_at(at, pieces->piece_align[*piece]);
  }
}

bool luna_partition_cut(LunaPartition *partition, int64_t align_bytes) {
  mark_split(partition);
  if (!list_granules(partition))
    return false;
  uint64_t count = partition->model->values.count;
  for (uint32_t i = 0; i < count; ++i) {
    partition->buffers[i].piece_count = 1;
    if (partition->buffers[i].is_split)
      partition->buffers[i].piece_of =
          make_keys(partition, i, partition->arena);
  }
  for (uint32_t i = 0; i < partition->model->slices.count; ++i)
    if (is_split(partition, i))
      cut_like(partition, i, i);
  for (bool is_cut = true; is_cut;) {
    is_cut = false;
    for (uint64_t i = 0; i < partition->copies.count; ++i) {
      LunaSliceCopy copy = partition->copies.items[i];
      if (!buffer_of(partition, copy.from)->is_split)
        continue;
      is_cut |= cut_like(partition, copy.from, copy.to);
      is_cut |= cut_like(partition, copy.to, copy.from);
    }
  }
  for (uint32_t i = 0; i < count; ++i)
    measure(partition, i, align_bytes);
  return true;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

void luna_copy_pieces(const LunaPartition *partition, LunaSliceCopy copy,
                      void (*visit)(void *data, uint32_t from, uint32_t to),
                      void *data) {
  const LunaPieces *from = buffer_of(partition, copy.from);
  const LunaPieces *to = buffer_of(partition, copy.to);
  if (!from->is_split) {
    visit(data, 0, 0);
    return;
  }
  LunaArena arena = {0};
  LunaGranules here = partition->granules[copy.from];
  LunaGranules there = partition->granules[copy.to];
  bool *is_seen = LUNA_ARENA_ARRAY(&arena, bool, to->piece_count);
  for (uint64_t i = 0; i < here.count; ++i) {
    uint32_t target = to->piece_of[there.items[i]];
    if (!is_seen[target])
      visit(data, from->piece_of[here.items[i]], target);
    is_seen[target] = true;
  }
  luna_arena_destroy(&arena);
}
