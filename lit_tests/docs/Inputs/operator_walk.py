"""Counts the sources that an operator of the unit touches, by its names, and
checks the table under "Adding an operator" in docs/operators.md.

    operator_walk.py SOURCE [--count]

The operators are those of classes with LUNA_UNIT_LAUNCH in luna/units.def: one
launch, nothing else. A source that has one of the names outside of comments is
one that adding such an operator touches; tests, docs, readers and benches use
an operator that is there. Prints each operator with more than FILES_MAX
sources, and each symbol of the table that stands where no row says so. With
--count prints the sources of each instead.
"""

import os
import re
import subprocess
import sys

FILES_MAX = 6
SOURCES = (".c", ".h", ".cpp", ".def", ".td")
# Who uses an operator that is there; not part of adding it.
USERS = ("import/", "lit_tests/", "bench/")
# What luna/units.def names for a class.
FUNCTIONS = ("rt", "core", "unit_start", "cost", "kernel", "sim_judge",
             "tosa_rewrite", "semantics", "tiling", "launches")
UNITS = "luna_target/include/luna/units.def"


def rows(manual):
    section = manual.split("\n## Adding an operator\n")[1].split("\n## ")[0]
    table = re.findall(r"^\| `([^`]+)` \| (.*) \|$", section, re.M)
    return {path: re.findall(r"`([^`]+)`", text) for path, text in table}


def product_sources(root):
    listing = subprocess.run(["git", "-C", root, "ls-files", "-co",
                              "--exclude-standard"],
                             capture_output=True, text=True, check=True)
    return [path for path in listing.stdout.splitlines()
            if path.endswith(SOURCES) and not path.startswith(USERS)
            and not re.search(r"/(tests|fuzz)/", path)
            and os.path.isfile(os.path.join(root, path))]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def names_of(units):
    """A pattern for each class of one launch: all that it is known by."""
    for unit, name, kind in re.findall(
            r"^LUNA_UNIT_LAUNCH\((\w+), (\w+), (\w+),", units, re.M):
        ops = re.findall(rf"^LUNA_UNIT_OP\({unit}, (\w+), \"([.\w]+)\"", units,
                         re.M)
        yield name, "|".join(
            [rf"LUNA_UNIT_{unit}", rf"\w+\({unit}, {name}, {kind}\b",
             rf"luna_(?:{'|'.join(FUNCTIONS)})_{name}", rf"Luna{kind}Desc",
             rf"Luna_{kind}Op", *(rf"LUNA_OP_LUNA_{op}" for op, _ in ops),
             *(re.escape(mnemonic) for _, mnemonic in ops)])


def main():
    root = sys.argv[1]

    def text_of(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    walk = rows(text_of("docs/operators.md"))
    assert walk, "the table is gone"
    sources = {path: without_comments(text_of(path))
               for path in product_sources(root)}
    operators = list(names_of(sources[UNITS]))
    assert operators, f"{UNITS}: has no LUNA_UNIT_LAUNCH"
    for name, pattern in operators:
        touched = [path for path, text in sources.items()
                   if re.search(rf"(?<![\w.])(?:{pattern})(?!\w)", text)]
        if "--count" in sys.argv:
            print(f"{name}: {len(touched)}", *touched, sep="\n  ")
        elif len(touched) > FILES_MAX:
            print(f"{name}: touches {len(touched)} sources, {FILES_MAX} are "
                  "allowed:", *touched, sep="\n  ")
    if "--count" in sys.argv:
        return

    def has(path, symbol):
        return re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)",
                         sources.get(path, "")) is not None

    for path, row in walk.items():
        for symbol in row:
            if not has(path, symbol):
                print(f"{path}: has no {symbol}")
    for path in sources:
        for symbol in sorted({symbol for row in walk.values()
                              for symbol in row}):
            if path not in walk and has(path, symbol):
                print(f"{path}: has {symbol}, docs/operators.md does not say so")


main()
