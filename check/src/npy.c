#include "luna/npy.h"

#include <inttypes.h>
#include <string.h>

#include "luna/checked.h"
#include "luna/runtime.h"

static const struct {
  const char *name; // NumPy's
  int32_t type;
  bool is_unsigned;
} types[] = {
    {"|b1", LUNA_TYPE_I1, false},  {"|i1", LUNA_TYPE_I8, false},
    {"<i2", LUNA_TYPE_I16, false}, {"<i4", LUNA_TYPE_I32, false},
    {"<i8", LUNA_TYPE_I64, false}, {"|u1", LUNA_TYPE_I8, true},
    {"<u2", LUNA_TYPE_I16, true},  {"<u4", LUNA_TYPE_I32, true},
    {"<u8", LUNA_TYPE_I64, true},  {"<f4", LUNA_TYPE_F32, false},
    {"<f8", LUNA_TYPE_F64, false}, {"<i1", LUNA_TYPE_I8, false},
    {"<f2", LUNA_TYPE_F16, false}, {"|V2", LUNA_TYPE_BF16, false},
};

enum { TYPE_COUNT = sizeof types / sizeof types[0], PREFIX_BYTES = 8 };

static const char magic[] = "\x93NUMPY";

//===- Reading the header -------------------------------------------------===//

// The header's text, not NUL-terminated.
typedef struct Header {
  const char *text;
  size_t length;
} Header;

static bool fail(LunaError *error, const char *message) {
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                        message);
}

// Finds the header and where the data begins.
static bool find_header(const uint8_t *bytes, size_t length, Header *header,
                        size_t *data_at, LunaError *error) {
  if (length < PREFIX_BYTES + 2 || memcmp(bytes, magic, 6) != 0)
    return fail(error, "is not a .npy file");
  bool is_wide = bytes[6] >= 2;
  if (bytes[6] < 1 || bytes[6] > 3)
    return fail(error, "is a .npy file of an unknown version, 1 to 3 are read");
  size_t start = PREFIX_BYTES + (is_wide ? 4 : 2);
  if (length < start)
    return fail(error, "is cut off in its header");
  size_t header_bytes = bytes[8] | (size_t)bytes[9] << 8;
  if (is_wide)
    header_bytes |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (header_bytes > length - start)
    return fail(error, "is cut off in its header");
  *header = (Header){(const char *)bytes + start, header_bytes};
  *data_at = start + header_bytes;
  return true;
}

static size_t skip_spaces(const Header *header, size_t at) {
  while (at < header->length && header->text[at] == ' ')
    ++at;
  return at;
}

// Returns the position after `'key':`, or the length of the header.
static size_t find_value(const Header *header, const char *key) {
  size_t key_length = strlen(key);
  for (size_t at = 0; at + key_length <= header->length; ++at) {
    if (memcmp(header->text + at, key, key_length) != 0)
      continue;
    size_t colon = skip_spaces(header, at + key_length);
    if (colon < header->length && header->text[colon] == ':')
      return skip_spaces(header, colon + 1);
  }
  return header->length;
}

static bool starts_with(const Header *header, size_t at, const char *text) {
  size_t length = strlen(text);
  return at <= header->length && header->length - at >= length &&
         memcmp(header->text + at, text, length) == 0;
}

static bool read_type(const Header *header, LunaNpy *npy, LunaError *error) {
  size_t at = find_value(header, "'descr'");
  for (int i = 0; i < TYPE_COUNT; ++i)
    if (starts_with(header, at, "'") &&
        starts_with(header, at + 1, types[i].name) &&
        starts_with(header, at + 1 + strlen(types[i].name), "'")) {
      npy->type = types[i].type;
      npy->is_unsigned = types[i].is_unsigned;
      return true;
    }
  size_t shown = 0;
  while (at + shown < header->length && shown < 8 &&
         (shown < 2 || header->text[at + shown - 1] != '\''))
    ++shown;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "has element type %.*s, read are bool, integers, "
                        "float32 and float64, little-endian",
                        (int)shown, header->text + at);
}

static bool read_extent(const Header *header, size_t *at, int64_t *extent) {
  int64_t value = 0;
  size_t start = *at;
  while (*at < header->length && header->text[*at] >= '0' &&
         header->text[*at] <= '9') {
    if (!luna_checked_mul(value, 10, &value) ||
        !luna_checked_add(value, header->text[*at] - '0', &value))
      return false;
    ++*at;
  }
  *extent = value;
  return *at > start;
}

static bool read_shape(const Header *header, LunaNpy *npy, LunaError *error) {
  size_t at = find_value(header, "'shape'");
  if (!starts_with(header, at, "("))
    return fail(error, "has no shape in its header");
  at = skip_spaces(header, at + 1);
  while (at < header->length && header->text[at] != ')') {
    if (npy->rank == LUNA_NPY_RANK_MAX)
      return fail(error, "has more than 16 dimensions");
    if (!read_extent(header, &at, &npy->dims[npy->rank++]))
      return fail(error, "has a malformed shape in its header");
    at = skip_spaces(header, at);
    if (starts_with(header, at, ","))
      at = skip_spaces(header, at + 1);
    else if (!starts_with(header, at, ")"))
      return fail(error, "has a malformed shape in its header");
  }
  return at < header->length
             ? true
             : fail(error, "has a malformed shape in its header");
}

static bool read_order(const Header *header, const LunaNpy *npy,
                       LunaError *error) {
  size_t at = find_value(header, "'fortran_order'");
  if (starts_with(header, at, "False") ||
      (starts_with(header, at, "True") && npy->rank < 2))
    return true;
  return fail(error, "is in Fortran order, C order is read");
}

bool luna_npy_read(const uint8_t *bytes, size_t length, LunaNpy *npy,
                   LunaError *error) {
  Header header = {0};
  size_t data_at = 0;
  *npy = (LunaNpy){0};
  if (!find_header(bytes, length, &header, &data_at, error) ||
      !read_type(&header, npy, error) || !read_shape(&header, npy, error) ||
      !read_order(&header, npy, error))
    return false;
  npy->bytes = luna_element_bytes(npy->type);
  for (int32_t i = 0; i < npy->rank; ++i)
    if (!luna_checked_mul(npy->bytes, npy->dims[i], &npy->bytes))
      return fail(error, "has a shape that is too large");
  npy->data = bytes + data_at;
  if ((uint64_t)npy->bytes != length - data_at)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "holds %zu bytes of data, its shape needs %" PRId64,
                          length - data_at, npy->bytes);
  return true;
}

//===- Writing ------------------------------------------------------------===//

static const char *type_name(int32_t type, bool is_unsigned) {
  for (int i = 0; i < TYPE_COUNT; ++i)
    if (types[i].type == type && types[i].is_unsigned == is_unsigned)
      return types[i].name;
  return "|i1";
}

void luna_npy_write(LunaText *text, int32_t type, bool is_unsigned,
                    int32_t rank, const int64_t *dims, const void *data,
                    size_t bytes) {
  LunaText header = {0};
  luna_text_printf(&header,
                   "{'descr': '%s', 'fortran_order': False, 'shape': (",
                   type_name(type, is_unsigned));
  for (int32_t i = 0; i < rank; ++i)
    luna_text_printf(&header, i == 0 ? "%" PRId64 : ", %" PRId64, dims[i]);
  luna_text_printf(&header, rank == 1 ? ",), }" : "), }");
  // The data starts at a multiple of 64.
  while ((PREFIX_BYTES + 2 + header.length + 1) % 64 != 0)
    luna_text_printf(&header, " ");
  luna_text_printf(&header, "\n");
  char prefix[PREFIX_BYTES + 2] = {0};
  memcpy(prefix, magic, 6);
  prefix[6] = 1;
  prefix[8] = (char)(header.length & 0xff);
  prefix[9] = (char)(header.length >> 8);
  luna_text_append(text, prefix, sizeof prefix);
  luna_text_append(text, header.data, header.length);
  luna_text_append(text, data, bytes);
  luna_text_deinit(&header);
}
