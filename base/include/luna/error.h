#ifndef LUNA_ERROR_H
#define LUNA_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of an error, which determines the exit code of `lunac`.
typedef enum LunaErrorCode {
  LUNA_ERROR_NONE = 0,
  /// The plan or an operand does not fit the memory given (exit code 1).
  LUNA_ERROR_CAPACITY,
  /// The input is malformed or not supported (exit code 2).
  LUNA_ERROR_INPUT,
  /// A checker found that a result breaks its contract (exit code 3).
  LUNA_ERROR_CHECK,
  /// The installation is at fault: a missing file, plugin or version (exit code
  /// 4).
  LUNA_ERROR_SETUP,
  /// Memory ran out (exit code 4).
  LUNA_ERROR_MEMORY,
} LunaErrorCode;

/// The item of an error that concerns no item in particular.
#define LUNA_ERROR_NO_ITEM UINT64_MAX

/// One failure: its kind, the index of the item at fault and a message.
///
/// The message is lower case, without a full stop, and says what was found and
/// what is allowed. Embedded by value; needs no clean-up.
typedef struct LunaError {
  LunaErrorCode code;
  /// Index of the buffer, row or operator at fault, or LUNA_ERROR_NO_ITEM.
  uint64_t item;
  char message[512];
} LunaError;

/// Fills `error` (which may be NULL) and returns false, so that a caller can
/// write `return luna_error_set(error, …)`. Truncates a message that is too
/// long.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool luna_error_set(LunaError *error, LunaErrorCode code, uint64_t item,
                    const char *format, ...);

/// Returns the exit code of `lunac` and `luna-plan` for `code`: 0 for none, 1
/// to 4 as documented at the enumerators.
int luna_error_exit_code(LunaErrorCode code);

#ifdef __cplusplus
}
#endif

#endif // LUNA_ERROR_H
