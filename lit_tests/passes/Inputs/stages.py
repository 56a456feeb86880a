"""Runs the pipeline to the lowered plan pass by pass, once as it is and once
with upstream's canonicalisation and CSE before each pass from the bufferised
function on. Prints the facts that a plan holds if they differ.

    stages.py MODEL.mlir … -- mlir-opt with its options
"""

import re
import subprocess
import sys

FACT = re.compile(r'#luna\.place<[^>]*>|luna\.label "[^"]*"|params = @\w+|'
                  r"luna\.arena_bytes = \d+|luna\.cost = {[^}]*}|"
                  r"luna\.dma_\w+|luna\.buffer \d+ of|luna\.conv2d|luna\.table")
CLEAN = "canonicalize,cse"


def opt(command, pipeline, text, *options):
    done = subprocess.run([*command, *options,
                           f"--pass-pipeline=builtin.module({pipeline})"],
                          input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{pipeline}\n{done.stderr}")
    return done


def split(pipeline):
    """The passes of a pipeline, those on functions each in its own func.func."""
    passes, depth, start = [], 0, 0
    for end, letter in enumerate(pipeline + ","):
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and depth == 0:
            passes.append(pipeline[start:end].strip())
            start = end + 1
    nested = [re.fullmatch(r"func\.func\((.*)\)", one) for one in passes]
    return [inner for one, match in zip(passes, nested)
            for inner in ([f"func.func({each})" for each in split(match[1])]
                          if match else [one])]


def passes_of(command, text):
    dump = opt(command, "luna-compile-to-plan,func.func(luna-lower-plan)", text,
               "--dump-pass-pipeline").stderr
    inner = re.search(r"builtin\.module\((.*)\)", " ".join(dump.split()))[1]
    return split(inner)


def facts(text):
    """The facts of a plan, in order but for where buffers are named."""
    found = FACT.findall(text.split("luna.program @")[0])
    buffers = [fact for fact in found if fact.startswith("luna.buffer")]
    return [fact for fact in found if fact not in buffers] + sorted(buffers)


def main():
    end = sys.argv.index("--")
    command = sys.argv[end + 1:]
    for model in sys.argv[1:end]:
        with open(model, encoding="utf-8") as file:
            text = file.read()
        passes = passes_of(command, text)
        first = passes.index("luna-record-program")
        plain = opt(command, ",".join(passes[:first]), text).stdout
        cleaned = plain
        for one in passes[first:]:
            plain = opt(command, one, plain).stdout
            cleaned = opt(command, f"{CLEAN},{one}", cleaned).stdout
        plain, cleaned = (facts(opt(command, CLEAN, each).stdout)
                          for each in (plain, cleaned))
        if plain != cleaned:
            sys.exit(f"{model}: {plain}\n{cleaned}")
        print(f"{len(plain)} facts")


main()
