#include "luna-c/upstream.h"

// tosa-to-scf comes before everything that looks at control flow. arith on
// tensors becomes linalg before anything simplifies: a branch result that later
// turns into a select of whole tensors must stay one.
//
// No CSE before bufferization: it would give operators whose results have equal
// shapes one destination, which then lives from the first to the last of them.
static const char *const steps[] = {
    [LUNA_UPSTREAM_STRUCTURE] =
        "func.func(convert-elementwise-to-linalg),inline,symbol-dce,"
        "func.func(tosa-to-scf,lift-cf-to-scf)",
    [LUNA_UPSTREAM_QUANTIZE] = "func.func(luna-quantize-to-linalg)",
    [LUNA_UPSTREAM_DECOMPOSE] = "func.func(tosa-optional-decompositions)",
    [LUNA_UPSTREAM_LINALG] =
        "func.func(tosa-to-linalg-named,tosa-to-linalg,"
        "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor)",
    [LUNA_UPSTREAM_BUFFERIZE] =
        "canonicalize,"
        "func.func(linalg-fuse-elementwise-ops,empty-tensor-to-alloc-tensor),"
        "one-shot-bufferize{bufferize-function-boundaries "
        "allow-return-allocs-from-loops "
        "function-boundary-type-conversion=identity-layout-map},"
        "buffer-results-to-out-params{modify-public-functions=true "
        "add-result-attr=true},"
        "canonicalize,cse",
    [LUNA_UPSTREAM_LLVM] =
        "func.func(convert-linalg-to-loops,math-expand-ops{ops=ctlz,rsqrt}),"
        "convert-scf-to-cf,"
        "convert-math-to-libm,expand-strided-metadata,lower-affine,"
        "convert-to-llvm,reconcile-unrealized-casts",
};

const char *luna_upstream_passes(LunaUpstreamStep step) { return steps[step]; }
