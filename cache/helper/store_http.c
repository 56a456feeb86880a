// Any HTTP server that knows GET and PUT, over libcurl.

#define _POSIX_C_SOURCE 200809L

#include <curl/curl.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_message.h"
#include "helper_socket.h"
#include "store.h"

typedef struct Http {
  CURL *curl;
  const char *base; // the address, owned by the store
  LunaStoreBytes received;
  const LunaStoreBytes *sent;
  size_t sent_count;
} Http;

//===- Connections --------------------------------------------------------===//

static void initialize(void) { curl_global_init(CURL_GLOBAL_NOTHING); }

static void *connect_http(const LunaRemoteUrl *url, const char *text) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)url;
  pthread_once(&once, initialize);
  Http *http = calloc(1, sizeof *http);
  if (!http)
    return NULL;
  http->curl = curl_easy_init();
  http->base = text;
  if (http->curl)
    return http;
  free(http);
  return NULL;
}

static void disconnect_http(void *connection) {
  Http *http = connection;
  curl_easy_cleanup(http->curl);
  free(http);
}

//===- Requests -----------------------------------------------------------===//

// Stops a body that is longer than an entry.
static size_t receive(char *bytes, size_t one, size_t count, void *data) {
  Http *http = data;
  LunaStoreBytes *all = &http->received;
  (void)one;
  if (all->count + count > LUNA_HELPER_ENTRY_MAX)
    return 0;
  uint8_t *items = realloc(all->items, all->count + count + 1);
  if (!items)
    return 0;
  memcpy(items + all->count, bytes, count);
  all->items = items;
  all->count += count;
  return count;
}

static size_t send_part(char *bytes, size_t one, size_t count, void *data) {
  Http *http = data;
  size_t left = http->sent->count - http->sent_count;
  size_t part = one * count < left ? one * count : left;
  memcpy(bytes, http->sent->items + http->sent_count, part);
  http->sent_count += part;
  return part;
}

// Names on servers have 64 hex digits, as those of caches of builds do.
static void make_address(const Http *http, const char *name, char *address,
                         size_t size) {
  unsigned char digest[32];
  char digits[2 * sizeof digest + 1];
  size_t length = strlen(http->base);
  while (length > 0 && http->base[length - 1] == '/')
    --length;
  crypto_generichash(digest, sizeof digest, (const unsigned char *)name,
                     strlen(name), NULL, 0);
  sodium_bin2hex(digits, sizeof digits, digest, sizeof digest);
  snprintf(address, size, "%.*s/%s", (int)length, http->base, digits);
}

static void set_up(Http *http, const char *address, int64_t deadline) {
  int64_t left = deadline - luna_helper_now();
  long most = left < 1                         ? 1
              : left < LUNA_STORE_OPERATION_MS ? (long)left
                                               : LUNA_STORE_OPERATION_MS;
  CURL *curl = http->curl;
  curl_easy_reset(curl); // keeps the connection
  curl_easy_setopt(curl, CURLOPT_URL, address);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   (long)LUNA_STORE_CONNECT_MS);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, most);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, http);
}

// Returns the status, 0 if there is none.
static long perform(Http *http) {
  long status = 0;
  http->received = (LunaStoreBytes){0};
  if (curl_easy_perform(http->curl) != CURLE_OK)
    return 0;
  curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

//===- Operations ---------------------------------------------------------===//

enum { ADDRESS_BYTES = 4096 };

static LunaStoreResult get_http(void *connection, const char *name,
                                int64_t deadline, LunaStoreBytes *bytes) {
  Http *http = connection;
  char address[ADDRESS_BYTES];
  make_address(http, name, address, sizeof address);
  set_up(http, address, deadline);
  long status = perform(http);
  if (status == 200) {
    *bytes = http->received;
    return LUNA_STORE_OK;
  }
  free(http->received.items);
  // Some say "forbidden" of what is not there.
  return status == 403 || status == 404 || status == 410 ? LUNA_STORE_ABSENT
                                                         : LUNA_STORE_FAILED;
}

static LunaStoreResult put_http(void *connection, const char *name,
                                const LunaStoreBytes *bytes, int64_t deadline) {
  Http *http = connection;
  char address[ADDRESS_BYTES];
  make_address(http, name, address, sizeof address);
  set_up(http, address, deadline);
  http->sent = bytes;
  http->sent_count = 0;
  // Without it 100 KiB wait for a server that does not know "100 Continue".
  struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
  curl_easy_setopt(http->curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(http->curl, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(http->curl, CURLOPT_READFUNCTION, send_part);
  curl_easy_setopt(http->curl, CURLOPT_READDATA, http);
  curl_easy_setopt(http->curl, CURLOPT_INFILESIZE_LARGE,
                   (curl_off_t)bytes->count);
  long status = perform(http);
  curl_slist_free_all(headers);
  free(http->received.items);
  return status >= 200 && status < 300 ? LUNA_STORE_OK : LUNA_STORE_FAILED;
}

const LunaStoreKind luna_store_http = {
    .connect = connect_http,
    .disconnect = disconnect_http,
    .get = get_http,
    .put = put_http,
};
