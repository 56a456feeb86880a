#include "luna-c/upstream.h"

#include <string.h>

#define ONE_SHOT                                                               \
  "one-shot-bufferize{bufferize-function-boundaries "                          \
  "allow-return-allocs-from-loops "                                            \
  "function-boundary-type-conversion=identity-layout-map},"                    \
  "buffer-results-to-out-params{modify-public-functions=true "                 \
  "add-result-attr=true}"

// What is named luna-… below, other than luna-to-linalg, luna-compile runs,
// too: the reference shares these passes, and their faults. The literal
// reference of quantised models (check/src/literal.c) has the steps at the end
// instead.
//
// tosa-to-scf comes before all passes that examine control flow. arith on
// tensors becomes linalg before any simplification: a branch result that later
// becomes a select of whole tensors must remain one. No CSE before
// bufferization: operators with results of equal shapes would share one
// destination, which is then live from the first to the last of them.
static const char *const steps[] = {
    [LUNA_UPSTREAM_STRUCTURE] =
        "func.func(convert-elementwise-to-linalg)," LUNA_UPSTREAM_INLINE
        ",symbol-dce,"
        "luna-propagate-shapes,"
        "func.func(luna-flatten-conditions,tosa-to-scf,lift-cf-to-scf,"
        "luna-bound-shapes)",
    [LUNA_UPSTREAM_QUANTIZE] = "luna-fold-constants,"
                               "func.func(luna-fuse-quantization)",
    [LUNA_UPSTREAM_ROUND] = "func.func(luna-quantize-to-linalg)",
    [LUNA_UPSTREAM_UNIT] = "func.func(luna-to-linalg)",
    [LUNA_UPSTREAM_DECOMPOSE] = "func.func(luna-decompose-transpose-conv)",
    [LUNA_UPSTREAM_LINALG] =
        "func.func(tosa-to-linalg-named,tosa-to-linalg,"
        "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor)",
    [LUNA_UPSTREAM_BUFFERIZE] =
        "canonicalize,"
        "func.func(linalg-fuse-elementwise-ops,empty-tensor-to-alloc-tensor),"
        "luna-prepare-bufferization," ONE_SHOT,
    [LUNA_UPSTREAM_SIMPLIFY] = "canonicalize,cse",
    [LUNA_UPSTREAM_LOOPS] =
        "func.func(convert-linalg-to-loops,luna-expand-math,"
        "math-expand-ops{ops=ctlz,rsqrt}),"
        "convert-scf-to-cf,convert-math-to-funcs,"
        "convert-math-to-libm,expand-strided-metadata,lower-affine",
    [LUNA_UPSTREAM_LLVM] = "convert-to-llvm,reconcile-unrealized-casts",
    [LUNA_LITERAL_STRUCTURE] =
        "func.func(convert-elementwise-to-linalg)," LUNA_UPSTREAM_INLINE
        ",symbol-dce,func.func(tosa-to-scf,lift-cf-to-scf)",
    [LUNA_LITERAL_DECOMPOSE] = "func.func(tosa-optional-decompositions)",
    [LUNA_LITERAL_BUFFERIZE] =
        "func.func(empty-tensor-to-alloc-tensor)," ONE_SHOT,
};

const char *luna_upstream_passes(LunaUpstreamStep step) { return steps[step]; }

// Appends the name that `text` starts with, unless `names` has it.
static void append_once(LunaText *names, const char *text, size_t length) {
  const char *at = names->length > 0 ? names->data : "";
  for (; *at; at += strcspn(at, ","), at += strspn(at, ", "))
    if (strcspn(at, ",") == length && strncmp(at, text, length) == 0)
      return;
  luna_text_printf(names, "%s%.*s", names->length > 0 ? ", " : "", (int)length,
                   text);
}

void luna_upstream_shared_passes(LunaText *names) {
  for (int step = 0; step <= LUNA_UPSTREAM_LLVM; ++step)
    for (const char *at = strstr(steps[step], "luna-");
         step != LUNA_UPSTREAM_UNIT && at; at = strstr(at + 1, "luna-"))
      append_once(names, at, strspn(at, "abcdefghijklmnopqrstuvwxyz-"));
}
