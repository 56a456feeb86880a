#ifndef LUNA_SYSTEM_H
#define LUNA_SYSTEM_H

// What a program asks of this computer, or of QEMU's user mode by the core's
// system calls.

#include <stddef.h>
#include <stdint.h>

/// Reads and writes as read(2) and write(2) do.
int32_t luna_system_read(int32_t file, void *to, size_t bytes);
int32_t luna_system_write(int32_t file, const void *from, size_t bytes);

_Noreturn void luna_system_exit(int32_t code);

/// A system call of this core, in its start.S.
int32_t luna_system_call(int32_t number, int32_t a, int32_t b, int32_t c);

#endif // LUNA_SYSTEM_H
