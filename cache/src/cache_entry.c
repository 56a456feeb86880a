#include "cache_entry.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "little_endian.h"

// The high bit and the line ending show what a transfer as text does to it.
static const uint8_t magic[8] = {0x8c, 'L', 'U', 'N', 'A', '\r', '\n', 0x1a};

enum {
  FLAG_COMPRESSED = 1,
  FLAG_SIGNED = 2,
  FLAG_FOREIGN = 4,
  FLAGS = 7,
  KIND_BYTES = LUNA_CACHE_KIND_MAX + 1,
  // Several times faster than the default, for a few per cent more.
  COMPRESSION_LEVEL = 1,
};

// No value that was stored is larger; a damaged size is not allocated.
#define RAW_BYTES_MAX (UINT64_C(1) << 32)

bool luna_cache_kind_is_valid(const char *kind) {
  size_t length = strlen(kind);
  return length > 0 && length <= LUNA_CACHE_KIND_MAX &&
         strspn(kind, "abcdefghijklmnopqrstuvwxyz0123456789") == length;
}

bool luna_cache_name_is_valid(const char *name) {
  size_t kind = strcspn(name, "-");
  char head[LUNA_CACHE_KIND_MAX + 1] = {0};
  if (kind > LUNA_CACHE_KIND_MAX || name[kind] != '-')
    return false;
  memcpy(head, name, kind);
  const char *digits = name + kind + 1;
  return luna_cache_kind_is_valid(head) &&
         strlen(digits) == 2 * LUNA_CACHE_DIGEST_BYTES &&
         strspn(digits, "0123456789abcdef") == 2 * LUNA_CACHE_DIGEST_BYTES;
}

//===- Digests ------------------------------------------------------------===//

// Format and kind belong to the key, so that formats never share a name.
LunaCacheDigest luna_cache_digest(const LunaCacheKey *key, unsigned bit_count) {
  uint8_t head[4 + KIND_BYTES] = {0};
  LunaCacheDigest digest;
  XXH128_canonical_t canonical;
  XXH3_state_t *state = XXH3_createState();
  luna_number_put(head, LUNA_CACHE_FORMAT, 4);
  memcpy(head + 4, key->kind, strlen(key->kind));
  memset(&digest, 0, sizeof digest);
  if (!state)
    return digest; // the record is compared
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, head, sizeof head);
  XXH3_128bits_update(state, key->record, key->record_bytes);
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
  XXH3_freeState(state);
  for (unsigned bit = 0; bit < 8 * LUNA_CACHE_DIGEST_BYTES && bit < bit_count;
       ++bit)
    digest.bytes[bit / 8] |=
        (uint8_t)(canonical.digest[bit / 8] & (0x80u >> bit % 8));
  return digest;
}

static void checksum(const uint8_t *bytes, size_t size,
                     uint8_t sum[LUNA_CACHE_DIGEST_BYTES]) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
  memcpy(sum, canonical.digest, LUNA_CACHE_DIGEST_BYTES);
}

//===- Writing ------------------------------------------------------------===//

// Packs the value behind the record. Returns the packed size.
static size_t pack_value(uint8_t *packed, size_t room, const void *bytes,
                         size_t length, bool is_raw, uint32_t *flags) {
  size_t size =
      is_raw ? length
             : ZSTD_compress(packed, room, bytes, length, COMPRESSION_LEVEL);
  if (!is_raw && !ZSTD_isError(size) && size < length) {
    *flags = FLAG_COMPRESSED;
    return size;
  }
  if (length > 0)
    memcpy(packed, bytes, length);
  return length;
}

uint8_t *luna_cache_entry_pack(const LunaCacheKey *key,
                               const LunaCacheDigest *digest, const void *bytes,
                               size_t length, size_t *size) {
  size_t room = key->is_raw ? length : ZSTD_compressBound(length);
  size_t before = LUNA_CACHE_HEADER_BYTES + key->record_bytes;
  if (length > RAW_BYTES_MAX || key->record_bytes > RAW_BYTES_MAX)
    return NULL;
  uint8_t *file = calloc(1, before + room + LUNA_CACHE_DIGEST_BYTES);
  uint32_t flags = 0;
  if (!file)
    return NULL;
  size_t packed =
      pack_value(file + before, room, bytes, length, key->is_raw, &flags);
  memcpy(file, magic, sizeof magic);
  luna_number_put(file + 8, LUNA_CACHE_FORMAT, 4);
  luna_number_put(file + 12, flags, 4);
  memcpy(file + 16, key->kind, strlen(key->kind));
  memcpy(file + 32, digest->bytes, LUNA_CACHE_DIGEST_BYTES);
  luna_number_put(file + 48, key->record_bytes, 8);
  luna_number_put(file + 56, length, 8);
  luna_number_put(file + 64, packed, 8);
  if (key->record_bytes > 0)
    memcpy(file + LUNA_CACHE_HEADER_BYTES, key->record, key->record_bytes);
  checksum(file, before + packed, file + before + packed);
  *size = before + packed + LUNA_CACHE_DIGEST_BYTES;
  return file;
}

//===- Reading ------------------------------------------------------------===//

static bool read_sizes(const uint8_t *file, size_t size, bool is_signed,
                       LunaCacheEntry *entry) {
  uint64_t record = luna_number_at(file + 48, 8),
           raw = luna_number_at(file + 56, 8);
  uint64_t packed = luna_number_at(file + 64, 8);
  uint64_t end = is_signed ? LUNA_CACHE_SIGNATURE_BYTES : 0;
  uint64_t rest = size - LUNA_CACHE_HEADER_BYTES - LUNA_CACHE_DIGEST_BYTES;
  if (rest < end)
    return false;
  rest -= end;
  if (record > rest || packed != rest - record || raw > RAW_BYTES_MAX)
    return false;
  entry->record = file + LUNA_CACHE_HEADER_BYTES;
  entry->record_bytes = (size_t)record;
  entry->packed = entry->record + record;
  entry->packed_bytes = (size_t)packed;
  entry->raw_bytes = (size_t)raw;
  if (is_signed)
    entry->signature = entry->packed + packed;
  return true;
}

static bool read_kind(const uint8_t *file, LunaCacheEntry *entry) {
  entry->kind = (const char *)file + 16;
  return file[16 + LUNA_CACHE_KIND_MAX] == 0 &&
         luna_cache_kind_is_valid(entry->kind);
}

// Checks what the sizes say against the value: nothing is allocated for one
// that is not what it says.
static bool check_value(const LunaCacheEntry *entry) {
  if (!entry->is_compressed)
    return entry->packed_bytes == entry->raw_bytes;
  return ZSTD_getFrameContentSize(entry->packed, entry->packed_bytes) ==
         entry->raw_bytes;
}

bool luna_cache_entry_read(const uint8_t *file, size_t size,
                           LunaCacheEntry *entry) {
  uint8_t sum[LUNA_CACHE_DIGEST_BYTES];
  *entry = (LunaCacheEntry){0};
  if (size < LUNA_CACHE_HEADER_BYTES + LUNA_CACHE_DIGEST_BYTES ||
      memcmp(file, magic, sizeof magic) != 0 ||
      luna_number_at(file + 8, 4) != LUNA_CACHE_FORMAT)
    return false;
  uint64_t flags = luna_number_at(file + 12, 4);
  entry->is_compressed = (flags & FLAG_COMPRESSED) != 0;
  entry->is_foreign = (flags & FLAG_FOREIGN) != 0;
  bool is_signed = (flags & FLAG_SIGNED) != 0;
  memcpy(entry->digest.bytes, file + 32, LUNA_CACHE_DIGEST_BYTES);
  if (flags > FLAGS || !read_kind(file, entry) ||
      !read_sizes(file, size, is_signed, entry))
    return false;
  checksum(file, size - LUNA_CACHE_DIGEST_BYTES, sum);
  return memcmp(sum, file + size - LUNA_CACHE_DIGEST_BYTES, sizeof sum) == 0 &&
         check_value(entry);
}

bool luna_cache_entry_has_key(const LunaCacheEntry *entry,
                              const LunaCacheKey *key) {
  return strcmp(entry->kind, key->kind) == 0 &&
         entry->record_bytes == key->record_bytes &&
         (key->record_bytes == 0 ||
          memcmp(entry->record, key->record, key->record_bytes) == 0);
}

bool luna_cache_entry_unpack(const LunaCacheEntry *entry, uint8_t *bytes) {
  if (entry->is_compressed)
    return ZSTD_decompress(bytes, entry->raw_bytes, entry->packed,
                           entry->packed_bytes) == entry->raw_bytes;
  if (entry->raw_bytes > 0)
    memcpy(bytes, entry->packed, entry->raw_bytes);
  return true;
}

//===- Signatures ---------------------------------------------------------===//

static uint32_t flags_of(const uint8_t *file) {
  return (uint32_t)luna_number_at(file + 12, 4);
}

// The checksum is the last that is written.
static void seal(uint8_t *file, size_t size, uint32_t flags) {
  luna_number_put(file + 12, flags, 4);
  checksum(file, size - LUNA_CACHE_DIGEST_BYTES,
           file + size - LUNA_CACHE_DIGEST_BYTES);
}

void luna_cache_entry_signed_part(const uint8_t *file, size_t size,
                                  uint8_t header[LUNA_CACHE_HEADER_BYTES],
                                  size_t *rest_bytes) {
  uint32_t flags = flags_of(file);
  size_t end = LUNA_CACHE_DIGEST_BYTES +
               (flags & FLAG_SIGNED ? LUNA_CACHE_SIGNATURE_BYTES : 0);
  memcpy(header, file, LUNA_CACHE_HEADER_BYTES);
  luna_number_put(header + 12, (flags | FLAG_SIGNED) & ~(uint32_t)FLAG_FOREIGN,
                  4);
  *rest_bytes = size - LUNA_CACHE_HEADER_BYTES - end;
}

uint8_t *luna_cache_entry_add_signature(
    uint8_t *file, size_t *size,
    const uint8_t bytes[LUNA_CACHE_SIGNATURE_BYTES]) {
  uint8_t *larger = realloc(file, *size + LUNA_CACHE_SIGNATURE_BYTES);
  if (!larger)
    return NULL;
  memcpy(larger + *size - LUNA_CACHE_DIGEST_BYTES, bytes,
         LUNA_CACHE_SIGNATURE_BYTES);
  *size += LUNA_CACHE_SIGNATURE_BYTES;
  seal(larger, *size, flags_of(larger) | FLAG_SIGNED);
  return larger;
}

void luna_cache_entry_mark(uint8_t *file, size_t size, bool is_foreign) {
  uint32_t flags = flags_of(file) & ~(uint32_t)FLAG_FOREIGN;
  seal(file, size, is_foreign ? flags | FLAG_FOREIGN : flags);
}
