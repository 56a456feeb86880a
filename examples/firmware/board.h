#ifndef BOARD_H
#define BOARD_H

// The board: what the firmware needs of it besides the port of the unit
// (luna/unit_port.h).

/// Starts the unit, before the model is called.
void board_start(void);

/// Stops it, and prints what it measured.
void board_stop(void);

#endif // BOARD_H
