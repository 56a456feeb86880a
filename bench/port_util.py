"""Models through a port over a vendor's library, or over its mock."""

import glob
import os
import re
import subprocess
import sys
import tempfile

from bench_util import LUNAC, ROOT

with open(os.path.join(ROOT, "device_runtime", "include", "luna", "ports.def"),
          encoding="utf-8") as ports:
    MACHINES = dict(re.findall(r"^LUNA_PORT\((\w+), (\w+),", ports.read(), re.M))
TESTS = os.path.join(ROOT, "device_runtime", "tests", "ports")
INCLUDES = [f"-I{os.path.join(ROOT, room, 'include')}"
            for room in ("device_runtime", "luna_target")]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def compile_all(folder, sources):
    """Objects of the sources, in a folder."""
    done = subprocess.run(["cc", "-std=gnu11", "-O2", *INCLUDES, "-c", *sources], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return glob.glob(os.path.join(folder, "*.o"))


def libraries_of(folder, port, libraries):
    """What stands below the archives: the libraries given, or a mock of one."""
    if libraries:
        return libraries
    return compile_all(folder, [os.path.join(TESTS, name) for name in
                                ("mock.c", "mock_compute.c", f"mock_{port}.c")])


class Model:
    """An archive of a model, and its header."""

    def __init__(self, folder, path, port):
        done = run(LUNAC, "compile", path, f"--machine={MACHINES[port]}",
                   f"--port={port}", "--emit=archive", "--target=host", "-o", folder)
        self.error = done.stderr.strip() if done.returncode != 0 else None
        if self.error:
            return
        self.header = glob.glob(os.path.join(folder, "*.h"))[0]
        self.library = glob.glob(os.path.join(folder, "*.a"))[0]
        with open(self.header, encoding="utf-8") as file:
            self.text = file.read()
        self.name = re.search(r"^void (luna_model_\w+)_init\(", self.text, re.M)[1]
        self.inputs = self.operands("Input")
        self.outputs = self.operands("Output")

    def operands(self, side):
        """Name, type and size of each, in order."""
        found = re.findall(rf"^// {side} \d+, '([^']*)': (\w+) .*\n"
                           rf"#define \w+_BYTES (\d+)", self.text, re.M)
        return [(name, kind, int(size)) for name, kind, size in found]

    def write_call(self, path):
        prefix = self.name.upper()
        arguments = [f"inputs[{i}]" for i in range(len(self.inputs))]
        arguments += [f"outputs[{i}]" for i in range(len(self.outputs))]
        lines = [f'#include "{self.header}"']
        lines += [f"#define MODEL_{what} {prefix}_{what}" for what in
                  ("ALIGNMENT_BYTES", "ARENA_BYTES", "PSRAM_BYTES", "STATE_BYTES")]
        for side, operands in (("INPUTS", self.inputs), ("OUTPUTS", self.outputs)):
            sizes = ", ".join(str(size) for _, _, size in operands)
            lines += [f"#define MODEL_{side} {{{sizes}}}"]
        lines += [f"#define model_init {self.name}_init",
                  f"#define model_call(inputs, outputs, arena, psram, state) "
                  f"{self.name}({', '.join(arguments)}, arena, psram, state)"]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def write_input(path, kind, size, seed):
    """Small numbers of any sign, the same each time."""
    import array
    import random
    draw = random.Random(seed)
    if kind == "f32":
        data = array.array("f", (draw.uniform(-1, 1) for _ in range(size // 4)))
    elif kind == "i1":
        data = array.array("b", (draw.randrange(2) for _ in range(size)))
    else:
        data = bytes(draw.randrange(256) for _ in range(size))
    with open(path, "wb") as file:
        file.write(bytes(data))


def run_model(folder, path, port, below, vendor):
    """What there is to say of a model."""
    model = Model(os.path.join(folder, "archive"), path, port)
    if model.error:
        return model.error.splitlines()[-1]
    model.write_call(os.path.join(folder, "model.h"))
    program = os.path.join(folder, "program")
    # The host model of VENUS asks that more words than a bias has are in memory.
    behind = 4096 if vendor else 0
    done = run("cc", "-std=gnu11", "-O2", f"-DBEHIND_ARENA_BYTES={behind}", f"-I{folder}", *INCLUDES, "-no-pie", "-o",
               program, os.path.join(ROOT, "examples", "firmware", "on_host.c"), model.library, *below, "-lm")
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1]
    inputs = []
    for i, (name, kind, size) in enumerate(model.inputs):
        inputs += [os.path.join(folder, f"input{i}.bin")]
        write_input(inputs[-1], kind, size, i)
    outputs = [os.path.join(folder, f"output{i}.bin")
               for i in range(len(model.outputs))]
    done = run(program, *inputs, *outputs)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        return said[-1] if said else f"exit code {done.returncode}"
    expected = run(LUNAC, "run", path, f"--machine={MACHINES[port]}", "--layout=calls",
                   f"--output={folder}/expected",
                   *(f"--input={i}={file}" for i, file in enumerate(inputs)))
    if expected.returncode != 0:
        return expected.stderr.strip().splitlines()[-1]
    for (name, _, size), output in zip(model.outputs, outputs):
        file = name.replace("/", "_")
        with open(f"{folder}/expected/{file}.npy", "rb") as a, open(output, "rb") as b:
            if a.read()[-size:] != b.read():
                return "differs"
    return "equal"
