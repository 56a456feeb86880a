#include "progress.h"

#include <stdarg.h>
#include <stdio.h>

void luna_progress_end(LunacSession *session) {
  if (session->has_transient_line)
    fputs("\r\033[K", stderr);
  session->has_transient_line = false;
}

void luna_progress(LunacSession *session, const char *format, ...) {
  bool is_verbose = session->options->is_verbose;
  if (!is_verbose && !session->wants_transient)
    return;
  luna_progress_end(session);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  if (is_verbose)
    fputc('\n', stderr);
  session->has_transient_line = !is_verbose;
  fflush(stderr);
}
