"""What a program executes on a chip's own core under QEMU, operator by
operator, beside what the machine file says."""

import json
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
from collections import namedtuple

from bench_util import LUNAC, ROOT, model_options

LIBRARIES = os.path.join(ROOT, "build", "lib", "luna")

# Its tools' prefix, emulator and options, machine, and gcc's options.
CORES = {
    "riscv32": ("riscv64-unknown-elf-", "qemu-riscv32", [], "arcs",
                ["--specs=picolibc.specs", "-march=rv32imafc",
                 "-mabi=ilp32f"]),
    "xtensa": ("xtensa-lx106-elf-", "qemu-xtensa", ["-cpu", "dc233c"], "venus",
               ["--specs=/usr/lib/xtensa-lx106-elf/picolibc.specs",
                "-mlongcalls"]),
}

# Stands in for the emulator, which lunac finds first.
WRAPPER = """#!/bin/sh
for last; do :; done
python3 {module} {core} "$last" "{folder}"
{emulator} -plugin {plugin},ranges={folder}/ranges,out={folder}/counts "$@" \\
  >"{folder}/result"
code=$?
cp "$last" "{folder}/program"
cat "{folder}/result"
exit $code
"""

# As bench/core_counts/count.c names them.
PROGRAM, CORE, SIMULATOR, CALL, IDS, START, WAIT = range(1, 8)


# The files of device_runtime/ that the runtime calls; the program calls others, too, of
# which what is executed belongs to the caller.
ENTRIES = {"chain", "eltwise", "launch", "pool", "product", "transfer"}


def functions_of_core(core):
    """Whether the runtime calls it, by the name of each function of device_runtime/."""
    found = subprocess.run(
        [CORES[core][0] + "nm", "-A",
         os.path.join(LIBRARIES, core, "libluna_run.a")],
        check=True, capture_output=True, text=True).stdout
    return {name: file in ENTRIES for file, name in re.findall(
        r":device_runtime\.src\.core_(\w+)\.c\.o:\w+ T (luna_core_\w+)$", found, re.M)}


def is_static_of_core(file):
    """Whether a file's static functions are of device_runtime/, which run on
    after a call of the unit."""
    return re.match(r"core_(\w+)\.c$", file or "") and file[5:-2] in ENTRIES


def part_of(kind, name, file, of_core):
    """The part that a symbol belongs to; None for what belongs to its caller:
    libraries, other static functions."""
    if name.endswith("_ids"):
        return IDS
    if is_static_of_core(file):
        return CORE
    if kind not in "tTW":
        return None
    if name.endswith(("_init", "_reset")):
        return SIMULATOR
    if name.startswith(("luna_model_", "luna_jit_entry_")):
        return PROGRAM
    if name in of_core:
        return CORE if of_core[name] else None
    if re.match(r"luna_rt_host_(operand|end)$", name):
        return SIMULATOR
    if name in ("luna_rt_dma_start", "luna_rt_dma_wait"):
        return START if name.endswith("start") else WAIT
    if re.match(r"luna_rt_|luna_sim_(call|unit)_open$", name):
        return CALL
    if re.match(r"luna_(sim|unit|rt|run|program|kernel|tiles|launch|branch|"
                r"system|arena|text|vector|map|error|core)|main$|_start$",
                name):
        return SIMULATOR
    return None


def symbols(prefix, program):
    """(address, size, kind, name, file of a local one) of each sized symbol."""
    found = subprocess.run([prefix + "nm", "-S", "-p", "-a", program],
                           check=True, capture_output=True, text=True).stdout
    file = None
    for line in found.splitlines():
        head = re.match(r"\w+ a (\S+)$", line)
        match = re.match(r"(\w+) (\w+) (\w) (\S+)$", line)
        if head:
            file = head[1]
        elif match:
            yield (int(match[1], 16), int(match[2], 16), match[3], match[4],
                   file if match[3].islower() else None)


def write_ranges(core, program, path):
    of_core = functions_of_core(core)
    with open(path, "w", encoding="utf-8") as out:
        for at, size, kind, name, file in symbols(CORES[core][0], program):
            part = part_of(kind, name, file, of_core)
            if part:
                out.write(f"{at:x} {at + size:x} {part:x}\n")


class Image:
    """The memory of a program of 32 bits as it is loaded."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        start, = struct.unpack_from("<I", self.bytes, 28)
        size, number = struct.unpack_from("<HH", self.bytes, 42)
        self.segments = [struct.unpack_from("<IIIII", self.bytes,
                                            start + i * size)
                         for i in range(number)]

    def at(self, address):
        """The place in the file of what is loaded to `address`."""
        for kind, offset, virtual, _, length in self.segments:
            if kind == 1 and virtual <= address < virtual + length:
                return offset + address - virtual
        raise ValueError(f"nothing at {address:#x}")

    def word(self, address):
        return struct.unpack_from("<i", self.bytes, self.at(address))[0]

    def text(self, address):
        start = self.at(address)
        return self.bytes[start:self.bytes.index(b"\0", start)].decode()


def operator_names(image, program):
    """Names of the operators, from the descriptor at `program`
    (luna_target/src/program_write.c)."""
    def word(index):
        return image.word(program + 4 * index)
    layout, strings = word(1), word(4)
    tensors = 1 + 1 + 1 + 2 * 8 + 2 + 1 + 1 + 1
    counts = [word(8 + i) for i in range(7)]
    first = 8 + (8 if layout == 2 else 7) + 8
    first += (counts[0] + counts[1]) * tensors + counts[2] * 9 + counts[3] * 6
    return [image.text(program + 4 * strings + word(first + i))
            for i in range(counts[4])]


def predicted(result, number):
    """(calls, launches, cycles of the core) of each operator
    (luna/core_job.h)."""
    with open(result, "rb") as file:
        data = file.read()
    head = struct.calcsize("<4I12Q")
    ops = struct.Struct("<QQQQQQQ")
    rows = [ops.unpack_from(data, head + i * ops.size)
            for i in range(number + 1)]
    return [(row[0], row[1], row[3]) for row in rows]


# Cycles that the simulator counts for the core; instructions of the program and
# of device_runtime/.
Operator = namedtuple("Operator", "name calls launches cycles program core")


def is_product(op):
    """Whether the operator is a convolution or matrix product: of others, the
    core executes a few instructions for the unit's launches, or has none."""
    return op.launches > 0 and op.core >= 20 * op.calls



def run(core, model, plugin, folder, machine_file=None, inputs=None):
    """Runs a model on a core, with random inputs or these files, and gives its
    operators; None, with the reason on standard error, where it fails."""
    prefix, emulator, _, machine, _ = CORES[core]
    wrapper = os.path.join(folder, emulator)
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(WRAPPER.format(folder=folder, core=core, plugin=plugin,
                                  module=os.path.abspath(__file__),
                                  emulator=shutil.which(emulator)))
    os.chmod(wrapper, stat.S_IRWXU)
    environment = dict(os.environ,
                       PATH=folder + os.pathsep + os.environ["PATH"])
    done = subprocess.run([LUNAC, "run", model,
                           f"--machine={machine_file or machine}",
                           *([f"--input={file}" for file in inputs or []] or
                             ["--random-input=1"]), f"--on={core}",
                           *model_options(model)], env=environment,
                          capture_output=True, text=True)
    os.remove(wrapper)
    if done.returncode != 0:
        print(f"{model}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return read_run(prefix, folder)


HOST_ROW = 2


def host_cycles(model, machine_file, folder):
    """(name, cycles) of what the simulator counts for the core in a run on this
    computer, in order."""
    trace = os.path.join(folder, "trace.json")
    subprocess.run([LUNAC, "run", model, f"--machine={machine_file}",
                    "--random-input=1", f"--trace={trace}"], check=True,
                   capture_output=True)
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    return [(event["name"], event["args"]["cycles"]) for event in events
            if event["ph"] == "X" and event["tid"] == HOST_ROW]


def read_run(prefix, folder):
    program = os.path.join(folder, "program")
    image = Image(program)
    places = {name: at for at, _, _, name, _ in symbols(prefix, program)}
    ids = next((at for name, at in places.items() if name.endswith("_ids")),
               None)
    names = operator_names(
        image, next(at for name, at in places.items()
                    if re.match(r"luna_model_\w+_program$", name)))
    counts = {}
    with open(os.path.join(folder, "counts"), encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] == "op":
                op = image.word(ids + 4 * int(words[1]))
                counts[op] = (int(words[2]), int(words[3]))
    cycles = predicted(os.path.join(folder, "result"), len(names))
    # Entering the program is predicted alone, and counted with its first operator.
    return [Operator(name, *cycles[i], *counts.get(i, (0, 0)))
            for i, name in enumerate([*names, "program"])]


if __name__ == "__main__":
    write_ranges(sys.argv[1], sys.argv[2], os.path.join(sys.argv[3], "ranges"))
