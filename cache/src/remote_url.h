#ifndef LUNA_REMOTE_URL_H
#define LUNA_REMOTE_URL_H

#include <stdbool.h>

enum { LUNA_REMOTE_HOST_MAX = 255 };

/// The address of a server.
typedef struct LunaRemoteUrl {
  bool is_http; ///< else Redis
  char host[LUNA_REMOTE_HOST_MAX + 1];
  int port;
  int database; ///< Redis
} LunaRemoteUrl;

/// Reads redis://HOST[:PORT][/DATABASE] or http://HOST[:PORT][/PATH]; an IPv6
/// address stands in brackets. Returns NULL, or what is wrong.
const char *luna_remote_url_read(const char *text, LunaRemoteUrl *url);

#endif // LUNA_REMOTE_URL_H
