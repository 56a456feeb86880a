"""The host costs `vector` of machine files, derived from the instructions that
the chips' vector units have.

Each loop over elements of device_runtime/ is written here in those instructions, a turn
of four elements with results of int8. It computes what device_runtime/ does, bit for bit,
and a turn is counted as if the next one never waited. What is not here has no
known use of them, and costs what the scalar code does: calls, launches, set-up,
tables, binary32, and the loops that a program computes.
"""

import math
import os
import re
from collections import namedtuple

import core_fit
from bench_util import change, count, dig, lunac, model_options, table

ELEMENTS = 4

# An instruction of a turn, and how often.
Step = namedtuple("Step", "times name")


def steps(text):
    """Those of "2 add, mul": one where no number stands."""
    found = re.finditer(r"(?:(\d+) )?([^\s,]+)", text)
    return [Step(int(match[1] or 1), match[2]) for match in found]


#===- HiFi 4 ----------------------------------------------------------------===#
# Up to four operations are issued at once: two of the core, loads, and one
# store among them, and two of arithmetic. A loop takes as many bundles a turn
# as the slot that it needs most, its address updates and end are part of the
# instructions (post-increment, zero-overhead loops). Names leave out which lanes
# are taken (AE_MUL32 is AE_MUL32_HH or AE_MUL32_LL). Where a row serves both
# roundings, it is the double one's.

HIFI4 = ("derived: HiFi 4 DSP User's Guide (four slots: load and store, load, "
         "two of arithmetic; lanes of 2 x 32 or 4 x 16 bits), as quoted in "
         "blog.csdn.net/huntershuai/article/details/88219472; operations as in "
         "foss-xtensa/nnlib-hifi4 6a9ea45 (MPY_BY_QUANT_MULT_X2_OUT32, "
         "STORE_8X4_FROM_32X4, AE_L8X4F_IP); bundles of bench/core_vector.py")

HIFI4_STORES = {"S8I", "AE_S32X2_IP"}
HIFI4_LOADS = {"L8UI", "L32I", "AE_L32X2_IP", "AE_L8X4F_IP"}
HIFI4_CORE = {"SUB", "ADD", "ADDI"}

# Clamp, zero point, and four bytes: no store takes them at once.
_FINISH = "2 AE_MAX32, 2 AE_MIN32, 2 AE_ADD32, 4 AE_MOVAD32, 4 S8I"
_SCALE = "4 AE_MUL32, 4 AE_SLAA64S, 2 AE_ROUND32X2F64SASYM"
# What double rounding adds has the sign of the element.
_SIGN = "2 AE_SRAI32, 2 AE_OR32, 4 AE_MULA32"
_CHANNELS = "2 AE_L32X2_IP, 4 L32I, 4 SUB"
_BYTES = "AE_L8X4F_IP, AE_SRAI16, AE_MUL16X4"
_LINEAR = "2 AE_MOV, 4 AE_MULAP32X2"

HIFI4_LOOPS = {
    "shift": (1, f"2 AE_L32X2_IP, 2 AE_SRAA32RS, {_FINISH}"),
    "multiplier": (1, f"2 AE_L32X2_IP, {_SCALE}, {_FINISH}"),
    "multiplier_double": (1, f"2 AE_L32X2_IP, {_SIGN}, {_SCALE}, {_FINISH}"),
    "channel": (1, f"2 AE_L32X2_IP, {_CHANNELS}, {_SCALE}, {_FINISH}"),
    "channel_double": (
        1, f"2 AE_L32X2_IP, {_CHANNELS}, {_SIGN}, {_SCALE}, {_FINISH}"),
    "small_shift": (1, f"2 AE_L32X2_IP, {_SCALE}, {_FINISH}"),
    "left_shift": (1, f"2 AE_L32X2_IP, 2 AE_SLAA32S, {_FINISH}"),
    "unscaled": (1, "2 AE_L32X2_IP, 4 AE_MOVAD32, 4 S8I"),
    # Sums that device_runtime/ looks up are computed: no load gathers entries of a table.
    "sum_table": (1, ""),
    "sum": (1, f"{_BYTES}, {_BYTES}, {_LINEAR}, {_SIGN}, {_SCALE}, {_FINISH}"),
    # Both operands.
    "operand": (2, f"{_BYTES}, {_BYTES}, {_LINEAR}, 2 AE_S32X2_IP"),
    "input_scale": (1, "2 AE_MOV, 2 AE_MULAP32X2, 2 AE_SRAA32, 2 AE_ADD32"),
    "deep_scale": (2, f"{_BYTES}, AE_SUB16, {_SIGN}, {_SCALE}, {_BYTES}, "
                      f"AE_SUB16, {_SIGN}, {_SCALE}, 2 AE_ADD32, "
                      "2 AE_S32X2_IP"),
    # A loop for each, and one for both.
    "wide_operand": (2, "4 AE_L32X2_IP, 4 AE_SUB32, 4 AE_S32X2_IP, "
                        "4 AE_L32X2_IP, 2 AE_ADD32, 2 AE_S32X2_IP"),
    "wide_scale": (1, f"2 AE_L32X2_IP, {_SIGN}, {_SCALE}, 2 AE_S32X2_IP"),
    # By bytes: no load gathers entries.
    "table_entry": (1, "4 L8UI, 4 ADD, 4 L8UI, 4 S8I, 2 ADDI"),
    "window_output": (1, "2 AE_S32X2_IP"),
    "window_element": (1, "AE_L8X4F_IP, AE_SRAI16, AE_SUB16, 2 AE_L32X2_IP, "
                          "AE_MULA16X4, 2 AE_S32X2_IP"),
}


def number_of(turn, names):
    return sum(step.times for step in turn if step.name in names)


def hifi4_bundles(turn):
    """The bundles of a turn."""
    stores = number_of(turn, HIFI4_STORES)
    memory = stores + number_of(turn, HIFI4_LOADS | HIFI4_CORE)
    arithmetic = sum(step.times for step in turn) - memory
    return max(stores, math.ceil(memory / 2), math.ceil(arithmetic / 2))


#===- Nuclei's xxldsp -------------------------------------------------------===#
# One instruction at a time. `ADDRESSES` are the pointers that a turn moves on.

XXLDSP = ("derived: instructions of Nuclei's xxldsp as NMSIS dc728b9 describes "
          "them (NMSIS/Core/Include/core_feature_dsp.h), without its 64-bit "
          "lanes N1 to N3; that the chip has xxldsp: LISTENAI/thinker 562ddc7, "
          "executor/libs/arcs/chip/libluna.a; counts of bench/core_vector.py")

_END = "4 maxw, 4 minw, 4 add, 4 sb"
_PAIR = "4 srai, 4 and, 4 or, 4 smar64"
_DEEP = "4 lb, 4 sub, 4 srai, 8 bpick, 4 smar64, 4 wext"


def xxldsp_turn(pointers):
    return f"{pointers} addi, bne"


XXLDSP_LOOPS = {
    "shift": (1, f"4 lw, 4 sra.u, {_END}, {xxldsp_turn(2)}"),
    "multiplier": (1, f"4 lw, 4 mulh, 4 sra.u, {_END}, {xxldsp_turn(2)}"),
    "multiplier_double": (
        1, f"4 lw, {_PAIR}, 4 sra.u, {_END}, {xxldsp_turn(2)}"),
    "channel": (1, f"12 lw, 4 mulh, 4 sra.u, {_END}, {xxldsp_turn(4)}"),
    "channel_double": (
        1, f"12 lw, {_PAIR}, 4 sra.u, {_END}, {xxldsp_turn(4)}"),
    "small_shift": (
        1, f"4 lw, 8 mv, 4 smar64, 4 wext, {_END}, {xxldsp_turn(2)}"),
    "left_shift": (1, "4 lw, 4 ksllw, 4 kaddw, 4 maxw, 4 minw, 4 sb, " +
                 xxldsp_turn(2)),
    "operand": (2, f"8 lb, 4 mv, 8 maddr32, 4 sw, {xxldsp_turn(3)}"),
    "deep_scale": (2, f"{_DEEP}, {_DEEP}, 4 add, 4 sw, {xxldsp_turn(3)}"),
}


def instructions(turn):
    return sum(step.times for step in turn)


#===- All of it -------------------------------------------------------------===#

# Of a machine: where its instructions are published, its loops, what a turn
# takes, and what that counts.
Derivation = namedtuple("Derivation", "source loops count unit")

DERIVATIONS = {
    "venus": Derivation(HIFI4, HIFI4_LOOPS, hifi4_bundles, "bundles"),
    "arcs": Derivation(XXLDSP, XXLDSP_LOOPS, instructions, "instructions"),
}


def counted(machine):
    """(cost, what a turn takes, what it takes for each) of a machine."""
    derivation = DERIVATIONS[machine]
    for name, (operands, text) in derivation.loops.items():
        turn = derivation.count(steps(text))
        yield name, turn, round(100 * turn / (ELEMENTS * operands))


def section(machine):
    """The set as text of a machine file."""
    derivation = DERIVATIONS[machine]
    rows = "".join(
        f'      <{name} value="{cost}"\n          source="derived: {turn} '
        f'{derivation.unit} a turn, bench/cores --vector"/>\n'
        for name, turn, cost in counted(machine))
    return (f'    <vector_core source="{derivation.source}">\n{rows}'
            "    </vector_core>\n")


SECTION = re.compile(r"    <vector_core source=.*?</vector_core>\n", re.S)


def path_of(machine):
    return os.path.join(core_fit.ROOT, "luna_target", "machines",
                        machine + ".xml")


def read(machine):
    with open(path_of(machine), encoding="utf-8") as file:
        return file.read()


def update(machine):
    text = SECTION.sub("", read(machine))
    text = text.replace("  </host>\n", section(machine) + "  </host>\n")
    with open(path_of(machine), "w", encoding="utf-8") as file:
        file.write(text)


def scalar_cost(text, name):
    return int(re.search(core_fit.ROW.format(name), text)[1])


def print_rows():
    """What a turn takes, each element, and that by scalar code."""
    head, rows = ["cost"], {}
    for column, machine in enumerate(DERIVATIONS):
        head += [f"{machine}: {DERIVATIONS[machine].unit}", "an element",
                 "scalar"]
        text = read(machine)
        for name, turn, cost in counted(machine):
            row = rows.setdefault(name, ["–"] * (3 * len(DERIVATIONS)))
            row[3 * column:3 * column + 3] = [
                turn, f"{cost / 100:.2f}",
                f"{scalar_cost(text, name) / 100:.2f}"]
    table(head, [[name, *row] for name, row in rows.items()])


def is_in_file(machine):
    found = SECTION.search(read(machine))
    return found is not None and found[0] == section(machine)


#===- Models ----------------------------------------------------------------===#

def predicted(model, machine):
    """Cycles of the slowest path and the core's in it; None if it is not
    compiled."""
    stats = lunac("compile", model, f"--machine={machine}",
                  *model_options(model))
    slowest = dig(stats, "predicted")
    return slowest and (slowest["cycles"], slowest["host"])


def print_models(models):
    """Cycles by both sets, the core's in parentheses."""
    rows = []
    for model in models:
        for machine in DERIVATIONS:
            scalar = predicted(model, machine)
            vector = predicted(model, machine + ":vector")
            if scalar and vector:
                rows.append([os.path.basename(model), machine,
                             count(scalar[0]), count(vector[0]),
                             change(vector[0], scalar[0]), count(scalar[1]),
                             count(vector[1]), change(vector[1], scalar[1])])
    table(["model", "machine", "scalar", "vector", "", "core's", "vector", ""],
          rows, left=2)
