// Tokens: each is awaited or forwarded exactly once on every path from where it
// comes from to the end of its block.

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna/vector.h"
#include "structure.h"
#include "verify_plan_report.h"
#include "verify_plan_static.h"

static const MlirOperation no_op = {NULL};

static bool is_token(MlirValue value) {
  return lunaTypeIsAToken(mlirValueGetType(value));
}

static bool is_branch(MlirOperation op) {
  return luna_is_branch(op) || luna_op_is(op, LUNA_OP_LUNA_REGION);
}

static bool is_terminator(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_SCF_YIELD) ||
         luna_op_is(op, LUNA_OP_LUNA_YIELD) ||
         luna_op_is(op, LUNA_OP_SCF_CONDITION);
}

//===----------------------------------------------------------------------===//
// Where a token comes from
//===----------------------------------------------------------------------===//

// What region `region` of a branch yields as result `i`.
static MlirValue yielded(MlirOperation branch, intptr_t region, intptr_t i) {
  MlirOperation yield = mlirBlockGetTerminator(luna_body(branch, region));
  return mlirOperationGetOperand(yield, i);
}

// Returns the transfer that a token is of, on some path; a null op if it is of
// none: luna.dma_none, or a branch that yields nothing else.
static MlirOperation origin_of(MlirValue token) {
  if (mlirValueIsABlockArgument(token)) {
    MlirOperation loop =
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(token));
    intptr_t i = mlirBlockArgumentGetArgNumber(token);
    bool is_for = luna_op_is(loop, LUNA_OP_SCF_FOR);
    bool is_first =
        luna_is_loop(loop) &&
        mlirBlockEqual(mlirBlockArgumentGetOwner(token), luna_body(loop, 0));
    MlirOperation first =
        is_first
            ? origin_of(mlirOperationGetOperand(loop, i + (is_for ? 2 : 0)))
            : no_op;
    return mlirOperationIsNull(first) ? loop : first;
  }
  MlirOperation op = mlirOpResultGetOwner(token);
  intptr_t i = mlirOpResultGetResultNumber(token);
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_NONE))
    return no_op;
  if (luna_op_is(op, LUNA_OP_SCF_FOR))
    return origin_of(mlirBlockGetArgument(luna_body(op, 0), i + 1));
  MlirOperation origin = is_branch(op) ? no_op : op;
  for (intptr_t r = 0; is_branch(op) && mlirOperationIsNull(origin) &&
                       r < mlirOperationGetNumRegions(op);
       ++r)
    origin = origin_of(yielded(op, r, i));
  return origin;
}

//===----------------------------------------------------------------------===//
// Where it goes
//===----------------------------------------------------------------------===//

typedef struct Token {
  MlirValue value;
  LunaArena *arena;
  LUNA_VECTOR(MlirOperation) users;
} Token;

static bool fail_reuse(const Token *token, MlirOperation user,
                       MlirOperation spent_by) {
  if (is_terminator(user) || luna_is_loop(user))
    return luna_verify_fail(
        user, "forwards a token that was already awaited or forwarded",
        spent_by, "awaited or forwarded here");
  return luna_verify_fail(
      user,
      luna_arena_printf(token->arena,
                        "awaits a transfer that was already awaited or "
                        "forwarded%s",
                        luna_verify_path(token->arena, user, spent_by)),
      spent_by, "awaited or forwarded here");
}

static bool spend_in_block(const Token *token, MlirBlock block,
                           MlirOperation *spent_by);

// The branch spends the token in each region or in none.
static bool spend_in_branch(const Token *token, MlirOperation branch,
                            MlirOperation *spent_by) {
  intptr_t count = 0, region_count = mlirOperationGetNumRegions(branch);
  for (intptr_t r = 0; r < region_count; ++r) {
    MlirOperation here = no_op;
    if (!spend_in_block(token, luna_body(branch, r), &here))
      return false;
    count += !mlirOperationIsNull(here);
    *spent_by = mlirOperationIsNull(here) ? *spent_by : here;
  }
  return count == 0 || count == region_count ||
         luna_verify_fail(branch, "a transfer is awaited in some branches only",
                          *spent_by, "awaited or forwarded here");
}

static bool spend_at(const Token *token, MlirOperation at, MlirOperation user,
                     MlirOperation *spent_by) {
  if (mlirOperationEqual(at, user)) {
    *spent_by = user;
    return true;
  }
  if (is_branch(at))
    return spend_in_branch(token, at, spent_by);
  return luna_verify_fail(at,
                          "a transfer started before this loop is awaited in "
                          "it, once per iteration",
                          user, "awaited or forwarded here");
}

// Returns the first user in `block`, or in an operator of it, behind `last`
// (null for the first of all).
static MlirOperation next_user(const Token *token, MlirBlock block,
                               MlirOperation last, MlirOperation *at) {
  MlirOperation user = no_op;
  for (uint64_t i = 0; i < token->users.count; ++i) {
    MlirOperation here = luna_ancestor_in_block(token->users.items[i], block);
    bool is_next =
        !mlirOperationIsNull(here) &&
        (mlirOperationIsNull(last) ||
         (!mlirOperationEqual(here, last) &&
          mlirOperationIsBeforeInBlock(last, here))) &&
        (mlirOperationIsNull(user) || mlirOperationIsBeforeInBlock(here, *at));
    if (!is_next)
      continue;
    user = token->users.items[i];
    *at = here;
  }
  return user;
}

static intptr_t count_operands(MlirOperation op, MlirValue value) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    count += luna_same_value(mlirOperationGetOperand(op, i), value);
  return count;
}

// Writes the operator of `block` that spends the token; null if none does.
static bool spend_in_block(const Token *token, MlirBlock block,
                           MlirOperation *spent_by) {
  MlirOperation at = no_op, user;
  if (mlirBlockIsNull(block))
    return true;
  while (user = next_user(token, block, at, &at), !mlirOperationIsNull(user)) {
    MlirOperation before = *spent_by;
    if (!mlirOperationIsNull(before))
      return fail_reuse(token, user, before);
    if (!spend_at(token, at, user, spent_by))
      return false;
    if (mlirOperationEqual(at, user) && count_operands(user, token->value) > 1)
      return fail_reuse(token, user, user);
  }
  return true;
}

static bool check_token(MlirValue value, MlirBlock block, LunaArena *arena) {
  Token token = {.value = value, .arena = arena};
  MlirOperation origin = origin_of(value), spent_by = no_op;
  if (mlirOperationIsNull(origin))
    return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    *LUNA_VECTOR_ADD(arena, &token.users) = mlirOpOperandGetOwner(use);
  if (!spend_in_block(&token, block, &spent_by))
    return false;
  if (!mlirOperationIsNull(spent_by))
    return true;
  MlirOperation end = mlirBlockGetTerminator(block);
  return luna_verify_fail(
      origin,
      luna_arena_printf(arena, "is never awaited%s",
                        luna_verify_path(arena, end, origin)),
      end, "still in flight here");
}

//===----------------------------------------------------------------------===//
// All tokens
//===----------------------------------------------------------------------===//

static bool check_operands(MlirOperation op) {
  bool may_use = is_terminator(op) || luna_is_loop(op) ||
                 luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT);
  for (intptr_t i = 0; !may_use && i < mlirOperationGetNumOperands(op); ++i)
    if (is_token(mlirOperationGetOperand(op, i)))
      return luna_verify_error(op, "uses a token, which only luna.dma_wait and "
                                   "control flow may");
  return true;
}

static bool check_arguments(MlirOperation op, LunaArena *arena) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    intptr_t count =
        mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block);
    for (intptr_t i = 0; i < count; ++i)
      if (is_token(mlirBlockGetArgument(block, i)) &&
          !check_token(mlirBlockGetArgument(block, i), block, arena))
        return false;
  }
  return true;
}

static bool check_results(MlirOperation op, LunaArena *arena) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_token(mlirOperationGetResult(op, i)) &&
        !check_token(mlirOperationGetResult(op, i), mlirOperationGetBlock(op),
                     arena))
      return false;
  return true;
}

static bool visit(MlirOperation op, void *data) {
  LunaArena *arena = data;
  return check_operands(op) && check_results(op, arena) &&
         (!luna_is_loop(op) || check_arguments(op, arena));
}

bool luna_verify_tokens(MlirOperation func, LunaArena *arena) {
  return luna_walk(func, visit, arena);
}
