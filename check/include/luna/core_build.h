#ifndef LUNA_CORE_BUILD_H
#define LUNA_CORE_BUILD_H

// From the code of a model to its object file, and to programs. The core's
// compiler and linker are separate programs.

#include "luna/machine.h"
#include "luna/object.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Compiles `module` as luna_object_emit does, to an object file in `object`,
/// which the caller frees; where the target is assembled, by its assembler.
/// Fails with LUNA_ERROR_SETUP.
bool luna_core_compile(LLVMModuleRef module, const LunaObjectOptions *options,
                       LunaText *object, LunaError *error);

/// Makes a static library of an object file, in `archive`, which the caller
/// frees; with the members of lib/luna/<target>/libluna_port_<port>.a if `port`
/// is not NULL. Fails with LUNA_ERROR_SETUP.
bool luna_core_archive(const LunaObjectTarget *target, const LunaText *object,
                       const char *port, LunaText *archive, LunaError *error);

/// What a program is linked from.
typedef struct LunaCoreLink {
  const LunaObjectTarget *target;
  const LunaMachine *machine; ///< its memories are the program's
  const char *name;           ///< of the model
  /// Of the model, with its memories (luna/object_image.h) and entries for
  /// calls by arrays.
  const LunaText *object;
} LunaCoreLink;

/// Links the program `path`. Fails with LUNA_ERROR_SETUP.
bool luna_core_link(const LunaCoreLink *link, const char *path,
                    LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CORE_BUILD_H
