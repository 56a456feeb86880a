#include "remote_url.h"

#include <string.h>

enum {
  REDIS_PORT = 6379,
  HTTP_PORT = 80,
  PORT_MAX = 65535,
  DATABASE_MAX = 999
};

// Reads a number of at most `largest`; returns its end, NULL if it is none.
static const char *read_number(const char *text, int largest, int *number) {
  const char *at = text;
  *number = 0;
  for (; *at >= '0' && *at <= '9' && *number <= largest; ++at)
    *number = 10 * *number + (*at - '0');
  return at > text && *number <= largest ? at : NULL;
}

static const char *read_host(const char *text, LunaRemoteUrl *url) {
  bool is_quoted = *text == '[';
  text += is_quoted;
  size_t length = strcspn(text, is_quoted ? "]" : ":/");
  if (length == 0 || length > LUNA_REMOTE_HOST_MAX ||
      (is_quoted && text[length] != ']'))
    return NULL;
  memcpy(url->host, text, length);
  url->host[length] = '\0';
  return text + length + is_quoted;
}

// All of it goes into requests: no spaces, no control characters.
static bool is_printable(const char *text) {
  while (*text > ' ' && *text < 0x7f)
    ++text;
  return *text == '\0';
}

static const char *scheme_end(const char *text, LunaRemoteUrl *url) {
  static const char redis[] = "redis://", http[] = "http://";
  url->is_http = strncmp(text, http, sizeof http - 1) == 0;
  if (url->is_http)
    return text + sizeof http - 1;
  return strncmp(text, redis, sizeof redis - 1) == 0 ? text + sizeof redis - 1
                                                     : NULL;
}

const char *luna_remote_url_read(const char *text, LunaRemoteUrl *url) {
  *url = (LunaRemoteUrl){0};
  const char *at = scheme_end(text, url);
  if (!at)
    return "is neither redis://HOST[:PORT][/DATABASE] nor "
           "http://HOST[:PORT][/PATH]";
  if (!is_printable(text))
    return "has a space or a character other than ASCII";
  if (strcspn(at, "@") < strcspn(at, "/"))
    return "has a user name, which is not supported";
  at = read_host(at, url);
  if (!at)
    return "has no host";
  url->port = url->is_http ? HTTP_PORT : REDIS_PORT;
  if (*at == ':')
    at = read_number(at + 1, PORT_MAX, &url->port);
  if (!at || url->port == 0 || (*at && *at != '/'))
    return "has a port that is not a number from 1 to 65535";
  if (url->is_http || !*at || strcmp(at, "/") == 0)
    return NULL;
  at = read_number(at + 1, DATABASE_MAX, &url->database);
  return at && !*at ? NULL : "has a database that is not a number up to 999";
}
