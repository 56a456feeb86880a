#ifndef LUNA_PASSES_H
#define LUNA_PASSES_H

#include "luna-c/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The descriptors listed in passes.def; each is documented in its own file.
#define LUNA_PASS(desc) extern const LunaPassDesc desc;
#define LUNA_PIPELINE(desc) extern const LunaPipelineDesc desc;
#include "luna/passes.def"

#ifdef __cplusplus
}
#endif

#endif // LUNA_PASSES_H
