#ifndef LUNA_OBJECT_IMAGE_H
#define LUNA_OBJECT_IMAGE_H

// What a module says of memory before it is code, and an object file of the
// bytes that its code takes.

#include "luna/arena.h"
#include "luna/image.h"
#include "llvm-c/Types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads the descriptor of model `name` from its lowered module; strings come
/// from `arena`. Fails as luna_program_read does.
bool luna_object_program(LLVMModuleRef module, const char *name,
                         LunaArena *arena, LunaProgramInfo *program,
                         LunaError *error);

/// Puts weights and descriptors into the sections of luna/image.h.
void luna_object_set_sections(LLVMModuleRef module);

/// Adds the memories of a program of `emulated_cores/` to the module of model
/// `name`: a LunaCoreMemories, and what it points at, as `image` says. The
/// weights stay where they are linked if `is_in_place`: the scratch is linked
/// after them.
void luna_object_add_memories(LLVMModuleRef module, const char *name,
                              const LunaImage *image, uint64_t alignment_bytes,
                              bool is_in_place);

/// Adds `machine` as the constant bytes that the header of model `name`
/// declares (luna/program_header.h), in a separate section.
void luna_object_add_machine(LLVMModuleRef module, const char *name,
                             const LunaMachine *machine);

/// Adds the bytes of an object file's sections to code, constants and
/// descriptors of `image`. Fails with LUNA_ERROR_SETUP if it is none.
bool luna_object_measure(const void *object, size_t bytes, LunaImage *image,
                         LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_OBJECT_IMAGE_H
