#define _GNU_SOURCE // dl_iterate_phdr

#include "luna/build_id.h"

#include <link.h>
#include <string.h>

#include "luna/record.h"

typedef struct Ids {
  LunaText *record;
  bool is_complete;
} Ids;

static size_t align(size_t size) { return (size + 3) / 4 * 4; }

// Appends the build id among the notes of a segment, if it is there.
static bool add_note(LunaText *record, const char *notes, size_t length) {
  while (length >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    memcpy(&head, notes, sizeof head);
    size_t name = align(head.n_namesz), value = align(head.n_descsz);
    if (length < sizeof head + name + value)
      return false;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
        memcmp(notes + sizeof head, "GNU", 4) == 0) {
      luna_record_bytes(record, notes + sizeof head + name, head.n_descsz);
      return true;
    }
    notes += sizeof head + name + value;
    length -= sizeof head + name + value;
  }
  return false;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *data) {
  Ids *ids = data;
  bool is_found = strncmp(object->dlpi_name, "linux-vdso", 10) == 0;
  (void)size;
  for (int i = 0; !is_found && i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE)
      is_found = add_note(ids->record,
                          (const char *)(object->dlpi_addr + segment->p_vaddr),
                          segment->p_memsz);
  }
  ids->is_complete &= is_found;
  return 0;
}

bool luna_build_ids(LunaText *record) {
  Ids ids = {record, true};
  dl_iterate_phdr(add_object, &ids);
  return ids.is_complete;
}
