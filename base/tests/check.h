#ifndef LUNA_CHECK_H
#define LUNA_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Ends the test program with 1 and the place, unless `condition` holds.
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__,         \
              #condition);                                                     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// Ends the test program unless two integers are equal; prints both.
#define CHECK_EQ(found, expected)                                              \
  do {                                                                         \
    long long found_ = (long long)(found), expected_ = (long long)(expected);  \
    if (found_ != expected_) {                                                 \
      fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", __FILE__,          \
              __LINE__, #found, found_, expected_);                            \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// Ends the test program unless two strings are equal; prints both.
#define CHECK_STR(found, expected)                                             \
  do {                                                                         \
    const char *found_ = (found), *expected_ = (expected);                     \
    if (strcmp(found_, expected_) != 0) {                                      \
      fprintf(stderr, "%s:%d: %s is\n  %s\nexpected\n  %s\n", __FILE__,        \
              __LINE__, #found, found_, expected_);                            \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// Runs one test function and prints its name.
#define RUN_TEST(function)                                                     \
  do {                                                                         \
    printf("%s\n", #function);                                                 \
    fflush(stdout);                                                            \
    function();                                                                \
  } while (0)

#endif // LUNA_CHECK_H
