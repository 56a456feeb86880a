#include "verify_terms.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void luna_terms_init(LunaTerms *terms, LunaArena *arena) {
  *terms = (LunaTerms){.arena = arena};
  static const uint64_t nothing[] = {LUNA_TERM_NOTHING};
  luna_term(terms, nothing, 1, LUNA_TERM_VARIES);
  for (uint64_t holds = 0; holds <= 1; ++holds) {
    const uint64_t truth[] = {LUNA_TERM_TRUTH, holds};
    luna_term(terms, truth, 2, 0);
  }
}

LunaTerm luna_term(LunaTerms *terms, const uint64_t *words, uint32_t count,
                   uint64_t loops) {
  uint64_t bytes = count * sizeof *words;
  LunaTerm term =
      luna_map_add(&terms->records, terms->arena, luna_map_bytes(words, bytes));
  if (term < terms->entries.count)
    return term;
  uint64_t *copy = LUNA_ARENA_ARRAY(terms->arena, uint64_t, count);
  memcpy(copy, words, bytes);
  terms->records.keys.items[term].bytes = copy;
  *LUNA_VECTOR_ADD(terms->arena, &terms->entries) =
      (LunaTermEntry){.words = copy, .count = count, .loops = loops};
  return term;
}

//===----------------------------------------------------------------------===//
// Constants by content
//===----------------------------------------------------------------------===//

// A record names the bytes by hash and ordinal; the ordinal distinguishes
// contents with equal hashes.
LunaTerm luna_term_bytes(LunaTerms *terms, const uint8_t *bytes,
                         int64_t count) {
  uint64_t hash = luna_hash_bytes(bytes, (uint64_t)count);
  for (uint64_t ordinal = 0;; ++ordinal) {
    const uint64_t words[] = {LUNA_TERM_BYTES, hash, (uint64_t)count, ordinal};
    LunaTerm term = luna_term(terms, words, 4, 0);
    LunaTermEntry *entry = &terms->entries.items[term];
    if (!entry->content)
      entry->content = bytes;
    if (memcmp(entry->content, bytes, (size_t)count) == 0)
      return term;
  }
}

const uint8_t *luna_term_content(const LunaTerms *terms, LunaTerm term,
                                 int64_t *count) {
  if (luna_term_kind(terms, term) != LUNA_TERM_BYTES)
    return NULL;
  *count = (int64_t)terms->entries.items[term].words[2];
  return terms->entries.items[term].content;
}

LunaTermHome luna_term_home(LunaTerms *terms, LunaTerm channel,
                            LunaTermHome own) {
  LunaTermHome *home = &terms->entries.items[channel].home;
  if (home->term == LUNA_TERM_UNDEFINED)
    *home = own;
  return *home;
}
