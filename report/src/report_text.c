#include <inttypes.h>
#include <string.h>

#include "report_internal.h"

// Returns the length of the UTF-8 sequence at `bytes`, or 0 if it is invalid
// (overlong forms, surrogates, values above U+10FFFF). Stops at the NUL.
static size_t utf8_length(const unsigned char *bytes) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (bytes[0] < 0x80)
    return 1;
  size_t length = bytes[0] >= 0xf0   ? 4
                  : bytes[0] >= 0xe0 ? 3
                  : bytes[0] >= 0xc0 ? 2
                                     : 0;
  if (length == 0 || bytes[0] > 0xf4)
    return 0;
  uint32_t code = bytes[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if ((bytes[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (bytes[i] & 0x3f);
  }
  bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= least[length] && code <= 0x10ffff && !is_surrogate ? length
                                                                    : 0;
}

static const char *entity(unsigned char byte) {
  switch (byte) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return byte < 0x20 && byte != '\t' && byte != '\n' ? "\xef\xbf\xbd" : NULL;
  }
}

// Appends the character at `at`, escaped; returns the number of bytes consumed.
static size_t append_character(LunaText *out, const unsigned char *at) {
  const char *replacement = entity(*at);
  size_t length = utf8_length(at);
  if (replacement == NULL && length == 0)
    replacement = "\xef\xbf\xbd";
  if (replacement == NULL) {
    luna_text_append(out, (const char *)at, length);
    return length;
  }
  luna_text_append(out, replacement, strlen(replacement));
  return 1;
}

void luna_report_text(LunaText *out, const char *text) {
  luna_report_short_text(out, text, SIZE_MAX);
}

void luna_report_short_text(LunaText *out, const char *text, size_t limit) {
  const unsigned char *at = (const unsigned char *)(text == NULL ? "" : text);
  size_t count = 0;
  for (; *at != '\0' && count < limit; ++count)
    at += append_character(out, at);
  if (*at != '\0')
    luna_text_printf(out, "…");
}

void luna_report_number(LunaText *out, uint64_t number) {
  char digits[32], grouped[48];
  int count = 0, length = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  for (int i = count - 1; i >= 0; i--) {
    grouped[length++] = digits[i];
    if (i > 0 && i % 3 == 0)
      grouped[length++] = ',';
  }
  luna_text_append(out, grouped, (size_t)length);
}

void luna_report_share(LunaText *out, uint64_t part, uint64_t whole,
                       int decimals) {
  uint64_t unit = 1;
  for (int i = 0; i < decimals; i++)
    unit *= 10;
  // Halve both until the product below fits; the ratio is kept.
  while (part > UINT64_MAX / (100 * unit) - whole / 2) {
    part /= 2;
    whole /= 2;
  }
  uint64_t scaled = whole == 0 ? 0 : (part * 100 * unit + whole / 2) / whole;
  luna_text_printf(out, "%" PRIu64, scaled / unit);
  if (decimals > 0)
    luna_text_printf(out, ".%0*" PRIu64, decimals, scaled % unit);
}

void luna_report_bytes(LunaText *out, uint64_t bytes) {
  if (bytes < 1024) {
    luna_text_printf(out, "%" PRIu64 " B", bytes);
    return;
  }
  uint64_t tenths = bytes / 1024 * 10 + (bytes % 1024 * 10 + 512) / 1024;
  luna_report_number(out, tenths / 10);
  luna_text_printf(out, ".%" PRIu64 " KiB", tenths % 10);
}

void luna_report_colour(LunaText *out, uint32_t branch) {
  uint32_t colour =
      branch == 0 ? 0 : 1 + (branch - 1) % (REPORT_COLOUR_COUNT - 1);
  luna_text_printf(out, "c%u", (unsigned)colour);
}

void luna_report_label(LunaText *out, const char *label, uint64_t part,
                       uint64_t whole, int y) {
  // A chart is about 1200 pixels wide, a letter 6.
  enum { CHART_PIXELS = 1200, LETTER_PIXELS = 6, ZOOM_2 = 5, ZOOM_3 = 25 };
  if (label == NULL || whole == 0)
    return;
  uint64_t wanted = strlen(label) * LETTER_PIXELS + 6;
  uint64_t pixels = part / (whole / CHART_PIXELS + 1);
  if (whole < CHART_PIXELS * UINT64_C(1000))
    pixels = part * CHART_PIXELS / whole;
  if (pixels * ZOOM_3 < wanted)
    return;
  int tier = pixels >= wanted ? 1 : pixels * ZOOM_2 >= wanted ? 2 : 3;
  luna_text_printf(out, "<text class=t%d x=4 y=%d>", tier, y);
  luna_report_text(out, label);
  luna_text_printf(out, "</text>");
}

const char *luna_report_kind_name(LunaBufferKind kind) {
  if (kind == LUNA_BUFFER_STAGING)
    return "weights";
  return kind == LUNA_BUFFER_SCRATCH ? "scratch" : "tensor";
}

const LunaReportCycles *luna_report_cycles(const LunaReportPath *path) {
  return path->simulated.total > 0 ? &path->simulated : &path->predicted;
}

bool luna_report_has_open_turns(const LunaReportPath *path) {
  return path->simulated.total == 0 && path->cost && path->cost->loop_count > 0;
}
