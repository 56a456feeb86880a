#!/usr/bin/env python3
"""Models with recorded results, in one file and its index.

    recorded_archive.py pack FOLDER ARCHIVE
    recorded_archive.py unpack ARCHIVE FOLDER

FOLDER holds NAME.tflite, NAME.in and NAME.out. ARCHIVE.bin holds their bytes
one after the other, model by model; each line of ARCHIVE.index is a name, the
offset of its first byte, and the sizes of the three.
"""

import os
import sys

ENDINGS = [".tflite", ".in", ".out"]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def pack(folder, archive):
    names = sorted(name[:-len(".tflite")] for name in os.listdir(folder)
                   if name.endswith(".tflite"))
    offset = 0
    with open(archive + ".bin", "wb") as data, \
            open(archive + ".index", "w", encoding="ascii") as index:
        for name in names:
            parts = [read(os.path.join(folder, name + ending))
                     for ending in ENDINGS]
            data.write(b"".join(parts))
            sizes = " ".join(str(len(part)) for part in parts)
            index.write(f"{name} {offset} {sizes}\n")
            offset += sum(map(len, parts))


def unpack(archive, folder):
    data = read(archive + ".bin")
    os.makedirs(folder, exist_ok=True)
    for line in read(archive + ".index").decode("ascii").splitlines():
        name, offset, *sizes = line.split()
        at = int(offset)
        for ending, size in zip(ENDINGS, map(int, sizes)):
            with open(os.path.join(folder, name + ending), "wb") as out:
                out.write(data[at:at + size])
            at += size


def main(arguments):
    if len(arguments) != 3 or arguments[0] not in ("pack", "unpack"):
        sys.exit(__doc__)
    {"pack": pack, "unpack": unpack}[arguments[0]](*arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
