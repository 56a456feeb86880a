#include "luna/error.h"

#include <stdarg.h>
#include <stdio.h>

bool luna_error_set(LunaError *error, LunaErrorCode code, uint64_t item,
                    const char *format, ...) {
  if (!error)
    return false;
  error->code = code;
  error->item = item;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return false;
}

int luna_error_exit_code(LunaErrorCode code) {
  switch (code) {
  case LUNA_ERROR_NONE:
    return 0;
  case LUNA_ERROR_CAPACITY:
    return 1;
  case LUNA_ERROR_INPUT:
    return 2;
  case LUNA_ERROR_CHECK:
    return 3;
  case LUNA_ERROR_SETUP:
  case LUNA_ERROR_MEMORY:
    return 4;
  }
  return 2;
}
