#ifndef VERIFY_MEMORY_H
#define VERIFY_MEMORY_H

// Memories whose bytes hold terms, as interval maps.

#include "luna/trie.h"
#include "verify_terms.h"

/// Bytes [begin, end) that hold bytes of a term, from byte `value.offset` on:
/// consecutive ones or, if `unit_bytes` is not 0, units of so many consecutive
/// bytes, each `step_bytes` behind the one before. Undefined bytes all have
/// offset 0. Only runs that a state keeps have units.
typedef struct LunaRun {
  int64_t begin, end;
  LunaByte value;
  int64_t unit_bytes, step_bytes;
} LunaRun;

/// Runs in order and without gaps; neighbours that continue each other are one.
typedef struct LunaRuns {
  LUNA_VECTOR(LunaRun);
} LunaRuns;

/// A range of bytes of a memory.
typedef struct LunaPiece {
  int64_t begin, end;
} LunaPiece;

/// Contiguous units of a memory, and the position of the first among the bytes
/// that are read or written.
typedef struct LunaStretch {
  int64_t begin, position;
} LunaStretch;

/// Bytes of a memory in an order of their own: stretches by address, all of as
/// many units. From one unit to the next the position grows by `step_bytes`.
typedef struct LunaPieces {
  int64_t unit_bytes, step_bytes, unit_count;
  LunaStretch *items;
  uint32_t count;
} LunaPieces;

/// Where a page lies.
typedef struct LunaPage {
  int64_t byte_count;
  int64_t stride_bytes; ///< from one page of its memory to the next
} LunaPage;

/// The memories of one program, shared by all of its states. A memory is one
/// page or several with consecutive numbers, of which the first is its own.
typedef struct LunaMemories {
  LUNA_VECTOR(LunaPage) pages;
} LunaMemories;

/// The contents of the memories at one point of the execution. A page without
/// runs is undefined. Runs are immutable: a copy is an assignment and shares
/// them.
typedef struct LunaState {
  const LunaMemories *memories;
  LunaTrie maps;                     ///< LunaRuns by page
  const struct LunaFlights *flights; ///< transfers in flight; NULL for none
} LunaState;

/// Returns the value of byte `distance` of a run.
LunaByte luna_run_at(const LunaRun *run, int64_t distance);
/// Appends `byte_count` bytes that start with `value`; extends the last run if
/// they continue it.
void luna_runs_append(LunaArena *arena, LunaRuns *runs, int64_t byte_count,
                      LunaByte value);
/// Returns `byte_count` bytes that start with `value`.
LunaRuns luna_runs_of(LunaArena *arena, LunaByte value, int64_t byte_count);

/// Adds a memory of one page; returns its number.
uint32_t luna_memories_add(LunaArena *arena, LunaMemories *memories,
                           int64_t byte_count);
/// Adds a memory that is cut into pages, so that a write to a part of it costs
/// no more than that part.
uint32_t luna_memories_add_paged(LunaArena *arena, LunaMemories *memories,
                                 int64_t byte_count);
/// Returns the contents of a page.
LunaRuns luna_state_get(LunaArena *arena, const LunaState *state,
                        uint32_t page);
/// Replaces the contents of a page.
void luna_state_set(LunaArena *arena, LunaState *state, uint32_t page,
                    LunaRuns runs);

/// Advances `*page` to the next page that was written in either state since one
/// was copied from the other. Returns false if there is none.
bool luna_state_next_change(const LunaState *a, const LunaState *b,
                            uint32_t *page);
/// Returns true if a page was not written since one state was copied from the
/// other.
bool luna_state_shares(const LunaState *a, const LunaState *b, uint32_t page);

/// Returns contiguous bytes as pieces.
LunaPieces luna_pieces_of(LunaArena *arena, LunaPiece bytes);
/// Returns the contents of the pieces, by position.
LunaRuns luna_memory_read(LunaArena *arena, const LunaState *state,
                          uint32_t memory, const LunaPieces *pieces);
/// Writes `from` to the pieces, by position. These do not overlap and have as
/// many bytes as `from`.
void luna_memory_write(LunaArena *arena, LunaState *state, uint32_t memory,
                       const LunaPieces *pieces, const LunaRuns *from);

/// Two maps of one length side by side, a range at a time in which neither
/// begins a new run:
///
///     for (LunaZip zip = luna_runs_zip(&a, &b); luna_zip_next(&zip);)
///       use(zip.begin, zip.end, zip.values);
typedef struct LunaZip {
  const LunaRuns *maps[2];
  uint64_t at[2];
  int64_t begin, end;
  LunaByte values[2]; ///< of byte `begin`
} LunaZip;

LunaZip luna_runs_zip(const LunaRuns *a, const LunaRuns *b);
/// Goes on to the next range; false behind the last of either map.
bool luna_zip_next(LunaZip *zip);

/// Computes a value from the values of two bytes at one position; the bytes
/// behind them follow from it.
typedef LunaByte (*LunaCombine)(const LunaByte *values, void *data);

/// Combines two maps of the same length range by range.
LunaRuns luna_runs_combine(LunaArena *arena, const LunaRuns *a,
                           const LunaRuns *b, LunaCombine combine, void *data);

#endif // VERIFY_MEMORY_H
