#include "verify_plan_cover.h"

typedef LunaVerifyCover Cover;
typedef LunaVerifySegment Segment;

static Cover *new_cover(LunaArena *arena, uint32_t capacity) {
  return luna_arena_alloc(arena, 1, sizeof(Cover) + capacity * sizeof(Segment));
}

static bool same_holding(const Segment *a, const Segment *b) {
  return a->hold == b->hold && a->content == b->content;
}

// Appends a segment, merged with the last one if its contents are equal.
static void push(Cover *cover, Segment segment) {
  if (segment.lo >= segment.hi)
    return;
  Segment *last = cover->count > 0 ? &cover->segments[cover->count - 1] : NULL;
  if (last != NULL && last->hi == segment.lo && same_holding(last, &segment))
    last->hi = segment.hi;
  else
    cover->segments[cover->count++] = segment;
}

const Cover *luna_verify_cover_new(LunaArena *arena, int64_t bytes) {
  Cover *cover = new_cover(arena, 1);
  push(cover, (Segment){.hi = bytes,
                        .hold = LUNA_VERIFY_UNWRITTEN,
                        .content = LUNA_VERIFY_COMPUTED});
  return cover;
}

// Returns `old` with `change` applied to the part of each segment in [lo, hi).
static const Cover *
change_range(LunaArena *arena, const Cover *old, int64_t lo, int64_t hi,
             Segment (*change)(Segment segment, const Segment *by),
             const Segment *by) {
  Cover *cover = new_cover(arena, 3 * old->count);
  for (uint32_t i = 0; i < old->count; ++i) {
    Segment before = old->segments[i], inside = before, after = before;
    before.hi = before.hi < lo ? before.hi : lo;
    after.lo = after.lo > hi ? after.lo : hi;
    inside.lo = inside.lo > lo ? inside.lo : lo;
    inside.hi = inside.hi < hi ? inside.hi : hi;
    push(cover, before);
    if (inside.lo < inside.hi)
      push(cover, change(inside, by));
    push(cover, after);
  }
  return cover;
}

static Segment to_written(Segment segment, const Segment *by) {
  return (Segment){.lo = segment.lo, .hi = segment.hi, .content = by->content};
}

// A write that may skip bytes replaces unwritten bytes, but not lost ones.
static Segment to_touched(Segment segment, const Segment *by) {
  if (segment.hold != LUNA_VERIFY_UNWRITTEN)
    return segment;
  segment.content = by->content;
  segment.hold = LUNA_VERIFY_WRITTEN;
  segment.branch = (LunaVerifyDecision){{NULL}, 0, NULL};
  return segment;
}

static Segment to_clobbered(Segment segment, const Segment *by) {
  if (segment.hold != LUNA_VERIFY_WRITTEN)
    return segment;
  segment.hold = LUNA_VERIFY_CLOBBERED;
  segment.content = LUNA_VERIFY_COMPUTED;
  segment.cause = by->cause;
  return segment;
}

// The worse of two segments over the same bytes; `branch` leads to `b`, other
// decisions at its op, 0 among them, to `a`.
static Segment meet(Segment a, const Segment *b,
                    const LunaVerifyDecision *branch) {
  bool b_is_worse = b->hold > a.hold;
  Segment worse = b_is_worse ? *b : a;
  worse.lo = a.lo;
  worse.hi = a.hi;
  if (a.hold == b->hold && a.content != b->content)
    worse.content = LUNA_VERIFY_MIXED;
  if (worse.hold == LUNA_VERIFY_UNWRITTEN && a.hold != b->hold &&
      worse.branch.op.ptr == NULL && branch != NULL)
    worse.branch =
        (LunaVerifyDecision){branch->op, b_is_worse ? branch->region : 0, NULL};
  return worse;
}

// The better of two segments where `a` was never written.
static Segment credit(Segment a, const Segment *b) {
  if (a.hold == LUNA_VERIFY_UNWRITTEN && b->hold == LUNA_VERIFY_WRITTEN) {
    a.hold = LUNA_VERIFY_WRITTEN;
    a.content = b->content;
  }
  return a;
}

// Combines two covers over the same bytes, by meet or by credit.
static const Cover *combine(LunaArena *arena, const Cover *a, const Cover *b,
                            bool is_credit, const LunaVerifyDecision *branch) {
  Cover *cover = new_cover(arena, a->count + b->count);
  for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
    const Segment *p = &a->segments[i], *q = &b->segments[j];
    Segment part = *p;
    part.lo = p->lo > q->lo ? p->lo : q->lo;
    part.hi = p->hi < q->hi ? p->hi : q->hi;
    push(cover, is_credit ? credit(part, q) : meet(part, q, branch));
    i += p->hi <= q->hi;
    j += q->hi <= p->hi;
  }
  return cover;
}

const Cover *luna_verify_cover_meet(LunaArena *arena, const Cover *a,
                                    const Cover *b,
                                    const LunaVerifyDecision *branch) {
  if (a == b || b == NULL)
    return a;
  if (a == NULL)
    return b;
  const Cover *met = combine(arena, a, b, false, branch);
  // Where a decision makes no difference the reasons are those of `a`.
  return branch == NULL && luna_verify_cover_equal(met, a) ? a : met;
}

bool luna_verify_cover_equal(const Cover *a, const Cover *b) {
  if (a == b)
    return true;
  if (a == NULL || b == NULL || a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->segments[i].hi != b->segments[i].hi ||
        !same_holding(&a->segments[i], &b->segments[i]))
      return false;
  return true;
}

bool luna_verify_cover_is_written(const Cover *cover, int64_t lo, int64_t hi) {
  for (uint32_t i = 0; cover != NULL && i < cover->count; ++i)
    if (cover->segments[i].hold == LUNA_VERIFY_WRITTEN &&
        cover->segments[i].lo < hi && cover->segments[i].hi > lo)
      return true;
  return false;
}

const Cover *luna_verify_cover_credit(LunaArena *arena, const Cover *a,
                                      const Cover *b) {
  return combine(arena, a, b, true, NULL);
}

const Cover *luna_verify_cover_write(LunaArena *arena, const Cover *cover,
                                     int64_t lo, int64_t hi, int64_t content) {
  return change_range(arena, cover, lo, hi, to_written,
                      &(Segment){.content = content});
}

const Cover *luna_verify_cover_touch(LunaArena *arena, const Cover *cover,
                                     int64_t content) {
  return change_range(arena, cover, 0, INT64_MAX, to_touched,
                      &(Segment){.content = content});
}

const Cover *luna_verify_cover_clobber(LunaArena *arena, const Cover *cover,
                                       int64_t lo, int64_t hi,
                                       MlirOperation op) {
  return change_range(arena, cover, lo, hi, to_clobbered,
                      &(Segment){.cause = op});
}
