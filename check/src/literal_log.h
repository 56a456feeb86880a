#ifndef LUNA_LITERAL_LOG_H
#define LUNA_LITERAL_LOG_H

// What one run of the reference did, for the literal reference to follow: the
// integers of each luna.quantize and the decisions, in their order.

#include "luna/literal.h"
#include "luna/simulator.h"
#include "luna/vector.h"

/// The functions that the references call at each luna.quantize and
/// luna.dequantize.
#define LUNA_LITERAL_HOOK_NOTE "luna_literal_note"
#define LUNA_LITERAL_HOOK_QUANTIZE "luna_literal_quantize"
#define LUNA_LITERAL_HOOK_DEQUANTIZE "luna_literal_dequantize"

/// What happened at one place, and how much of it was followed.
typedef struct LunaLiteralQueue {
  LUNA_VECTOR(void *) values;     ///< of a luna.quantize
  LUNA_VECTOR(void *) singles;    ///< those of the model in binary32
  LUNA_VECTOR(int32_t) decisions; ///< of a branch or loop
  uint64_t next;
} LunaLiteralQueue;

typedef struct LunaLiteralLog {
  LunaArena arena;
  const LunaLiteral *literal;
  LunaLiteralQueue *values;                ///< by quantizer
  LUNA_VECTOR(LunaLiteralQueue) decisions; ///< by branch
  bool is_followed;                        ///< no longer noted
  bool is_judged;                          ///< by the model in binary64
  uint64_t strays;                         ///< executions that only one had
} LunaLiteralLog;

/// Begins to note on this thread what is judged with `literal`.
void luna_literal_begin(LunaLiteralLog *log, const LunaLiteral *literal);
/// Follows what was noted, from its start: first in binary32, then, with
/// `is_judged`, in binary64, which is compared with it.
void luna_literal_follow(LunaLiteralLog *log, bool is_judged);
/// Ends, frees the log, and returns how many executions of a luna.quantize were
/// not in all.
uint64_t luna_literal_end(LunaLiteralLog *log);

/// Notes a decision; or returns the one that was noted, `decision` without one.
int32_t luna_literal_decide(uint32_t branch, int32_t decision);

/// The functions for the JIT: integers and addresses as index has them.
void luna_literal_note(int32_t number, int64_t values);
void luna_literal_quantize(int32_t number, int64_t x, int64_t scales,
                           int64_t zeros, int64_t result);
void luna_literal_dequantize(int32_t number, int64_t integers, int64_t scales,
                             int64_t zeros, int64_t result);

#endif // LUNA_LITERAL_LOG_H
