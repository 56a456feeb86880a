#!/usr/bin/env python3
"""Writes models of single operators with inputs, to compare their results.

    make_recorded.py FOLDER                        those of recorded.bin
    make_recorded.py FOLDER COUNT SEED [NAME...]   COUNT of each kind, at random

Each NAME.tflite gets a NAME.in, the inputs of a few calls one after the other.
NAME.out, the outputs, comes from another implementation (docs/import.md says
which); recorded_archive.py packs the three, tflite_recorded_test compares.
Shapes, scales and values are drawn at random, the same for the same seed.
"""

import os
import random
import sys

from recorded_case import KINDS, Case
# Each registers its kinds.
import recorded_moving
import recorded_pairs
import recorded_single
import recorded_windows

RECORDED_SEED = 1


def write(folder, name, maker, seed):
    make, k = maker
    g = Case(random.Random("%s %s" % (name, seed)), may_be_large=False)
    make(g, k)
    g.finish(os.path.join(folder, name))


def main(arguments):
    folder, *rest = arguments
    os.makedirs(folder, exist_ok=True)
    if not rest:
        for name, maker in KINDS.items():
            write(folder, name, maker, RECORDED_SEED)
        return
    count, seed, *names = rest
    for name, (make, k) in KINDS.items():
        if names and not any(n in name for n in names):
            continue
        for i in range(int(count)):
            g = Case(random.Random("%s %s %d" % (name, seed, i)))
            make(g, k)
            g.finish(os.path.join(folder, "%s_%d" % (name, i)))


if __name__ == "__main__":
    main(sys.argv[1:])
