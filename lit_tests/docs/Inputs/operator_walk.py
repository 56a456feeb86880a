"""Checks the table under "Adding an operator" in docs/operators.md.

    operator_walk.py SOURCE

Each row names a file, and symbols of the operator that stand in it. No source
of the product that has no row may have one of these symbols.
"""

import os
import re
import subprocess
import sys

SOURCES = (".c", ".h", ".cpp", ".def", ".td")
# Who uses an operator that is there; not part of adding it.
USERS = ("import/", "lit_tests/")


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


def main():
    root = sys.argv[1]

    def text_of(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    walk = rows(text_of("docs/operators.md"))
    assert walk, "the table is gone"
    sources = {path: text_of(path) for path in product_sources(root)}
    symbols = sorted({symbol for row in walk.values() for symbol in row})

    def has(path, symbol):
        return re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)",
                         sources.get(path, "")) is not None

    for path, row in walk.items():
        for symbol in row:
            if not has(path, symbol):
                print(f"{path}: has no {symbol}")
    for path in sources:
        for symbol in symbols:
            if path not in walk and has(path, symbol):
                print(f"{path}: has {symbol}, docs/operators.md does not say so")


main()
