// A firmware that feeds frames to a compiled model and prints what it finds:
// a tone that rises from frame to frame, and the word that scores most.

#include <stdint.h>
#include <stdio.h>

#include "board.h"
#include "wake_word.h"

enum { FRAMES = 4 };

#define ALIGNED _Alignas(LUNA_MODEL_WAKE_WORD_ALIGNMENT_BYTES)

// The linker script places them: the arena in shared memory, the rest in PSRAM.
// A transfer may touch the padding of a tensor.
#define PADDED(bytes) ((bytes) + LUNA_MODEL_WAKE_WORD_ALIGNMENT_BYTES)
static ALIGNED uint8_t arena[LUNA_MODEL_WAKE_WORD_ARENA_BYTES]
    __attribute__((section(".bss.luna.shared")));
static ALIGNED int8_t audio[PADDED(LUNA_MODEL_WAKE_WORD_INPUT0_BYTES)]
    __attribute__((section(".bss.luna.psram")));
static ALIGNED int8_t scores[PADDED(LUNA_MODEL_WAKE_WORD_OUTPUT0_BYTES)]
    __attribute__((section(".bss.luna.psram")));

_Static_assert(LUNA_MODEL_WAKE_WORD_SCRATCH_BYTES == 0 &&
                   LUNA_MODEL_WAKE_WORD_STATE_BYTES == 0,
               "the model needs memory that is not there");

static void record(int32_t frame) {
  for (int32_t i = 0; i < LUNA_MODEL_WAKE_WORD_INPUT0_BYTES; ++i)
    audio[i] = (int8_t)(uint8_t)(i * (7 * frame + 3) % 251);
}

static void print(int32_t frame) {
  int32_t best = 0;
  for (int32_t i = 1; i < LUNA_MODEL_WAKE_WORD_OUTPUT0_BYTES; ++i)
    if (scores[i] > scores[best])
      best = i;
  printf("frame %d: word %d scores %d\n", (int)frame, (int)best, scores[best]);
}

int main(void) {
  // The weights stay where they are linked.
  void *weights = (void *)(uintptr_t)luna_model_wake_word_weights;
  board_start();
  luna_model_wake_word_init(weights, NULL);
  for (int32_t frame = 0; frame < FRAMES; ++frame) {
    record(frame);
    luna_model_wake_word(audio, scores, arena, weights, NULL);
    print(frame);
  }
  board_stop();
  return 0;
}
