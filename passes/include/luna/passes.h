#ifndef LUNA_PASSES_H
#define LUNA_PASSES_H

#include "luna-c/pass.h"

/// The descriptors listed in passes.def; each is documented in its own file.
#define LUNA_PASS(desc) extern const LunaPassDesc desc;
#define LUNA_PIPELINE(desc) extern const LunaPipelineDesc desc;
#include "luna/passes.def"

#endif // LUNA_PASSES_H
