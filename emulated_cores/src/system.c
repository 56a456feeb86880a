#include "system.h"

#include <errno.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __xtensa__
enum { CALL_READ = 12, CALL_WRITE = 13, CALL_EXIT = 119 };
#else
enum { CALL_READ = 63, CALL_WRITE = 64, CALL_EXIT = 93 };
#endif

int32_t luna_system_read(int32_t file, void *to, size_t bytes) {
  return luna_system_call(CALL_READ, file, (int32_t)(intptr_t)to,
                          (int32_t)bytes);
}

int32_t luna_system_write(int32_t file, const void *from, size_t bytes) {
  return luna_system_call(CALL_WRITE, file, (int32_t)(intptr_t)from,
                          (int32_t)bytes);
}

_Noreturn void luna_system_exit(int32_t code) {
  for (;;)
    luna_system_call(CALL_EXIT, code, 0, 0);
}

//===- What picolibc asks for ---------------------------------------------===//

_Noreturn void _exit(int code);
_Noreturn void _exit(int code) { luna_system_exit(code); }

static FILE output, errors;

static int put(char c, FILE *file) {
  int32_t number = file == &output ? 1 : 2;
  return luna_system_write(number, &c, 1) == 1 ? (unsigned char)c : EOF;
}

static FILE output = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
static FILE errors = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &output;
FILE *const stderr = &errors;

_Noreturn void abort(void);
_Noreturn void abort(void) { luna_system_exit(134); }
