"""Models with the types of their TOSA operators taken away."""

import re

OPERATOR = re.compile(
    r'^(\s*)(%[\w$.]+) = "tosa\.(\w+)"\((.*?)\)( .*)? : \((.*)\) -> '
    r"(tensor<[^<>]*>)( loc.*)?$")
NAME = re.compile(r"%[\w$.]+")


def split_types(text):
    """Splits at commas outside of <>."""
    parts, depth, last = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0:
            parts.append(text[last:i].strip())
            last = i + 1
    return parts + [text[last:].strip()]


def opened(kind):
    return re.sub(r"^tensor<(?:\d+x)*(.*)>$", r"tensor<*x\1>", kind)


def open_operators(text):
    """Gives tosa operators of a module in generic form results without shape,
    where only such operators use them. Returns the text, and the types that
    were taken away in order, None for those that stayed."""
    lines = text.splitlines()
    matches = [None if '"tosa.const' in line else OPERATOR.match(line)
               for line in lines]
    kept = set()
    for line, match in zip(lines, matches):
        if not match and '"tosa.const' not in line:
            kept.update(NAME.findall(line))
    types = {}
    for match in matches:
        if match and match.group(2) not in kept:
            types[match.group(2)] = opened(match.group(7))
    out, taken = [], []
    for line, match in zip(lines, matches):
        if not match:
            out.append(line)
            continue
        indent, name, operator, operands, rest, kinds, result, _ = \
            match.groups()
        names = [n.strip() for n in operands.split(",")] if operands else []
        kinds = [types.get(n, kind)
                 for n, kind in zip(names, split_types(kinds))]
        out.append(f'{indent}{name} = "tosa.{operator}"({operands})'
                   f"{rest or ''} : ({', '.join(kinds)}) -> "
                   f"{types.get(name, result)}")
        taken.append(result)
    return "\n".join(out) + "\n", taken, len(types)


def result_types(text):
    """The result types of the operators that open_operators would look at."""
    return [match.group(7) for line in text.splitlines()
            if '"tosa.const' not in line
            for match in [OPERATOR.match(line)] if match]
