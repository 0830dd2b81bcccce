#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer instructions for each multiply in CUDA kernels, from the text of `cuobjdump --dump-sass PROGRAM`.

Counted is the main block of a kernel: the straight line of instructions with the most floating-point multiplies. In
brackets is the same from the head of the loop around it, with every side path: an upper bound that includes decoding the
index. Moves between registers, also those spelled IMAD.MOV, count as moves.
"""

import argparse
import collections
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"^\s*Function : (\S+)")
INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][A-Z0-9_.]*)\b([^;]*);")
ADDRESS = re.compile(r"0x[0-9a-f]+")

MULTIPLY = {"DMUL", "FMUL", "HMUL2"}
FUSED = {"DFMA", "FFMA", "HFMA2"}
INTEGER = {"IMAD", "IADD", "IADD3", "IADD32I", "VIADD", "LEA", "SHF", "SHL", "SHR", "LOP", "LOP3", "ISETP", "IMNMX", "VIMNMX",
           "IABS", "IMUL", "ISCADD", "SGXT", "BMSK", "FLO", "POPC", "PRMT", "SEL", "PLOP3", "IDP", "LEPC",
           "UIMAD", "UIADD3", "ULEA", "USHF", "ULOP3", "UISETP", "USEL", "UIMNMX", "UFLO", "UPRMT", "USGXT"}
MOVE = {"MOV", "UMOV", "R2UR", "S2R", "S2UR", "CS2R", "LDC", "ULDC", "LDCU"}
LOAD = {"LDG", "LD"}
STORE = {"STG", "ST"}
BRANCH = {"BRA", "BRX", "JMP", "JMX", "EXIT", "RET", "CALL", "BREAK", "BSYNC", "WARPSYNC", "KILL", "BPT"}

Instruction = collections.namedtuple("Instruction", "address operation target")


def parse(lines):
    """Kernels by mangled name: lists of instructions in the order of addresses."""
    kernels, current = {}, None
    for line in lines:
        function = FUNCTION.match(line)
        if function:
            current = kernels.setdefault(function[1], [])
            continue
        found = INSTRUCTION.match(line)
        if found is None or current is None:
            continue
        operation = found[3]
        target = ADDRESS.search(found[4]) if operation.split(".")[0] in {"BRA", "JMP"} else None
        current.append(Instruction(int(found[1], 16), operation, int(target[0], 16) if target else None))
    return kernels


def kind_of(operation):
    parts = operation.split(".")
    base = parts[0]
    if base in MOVE or base in ("IMAD", "UIMAD") and len(parts) > 1 and parts[1] == "MOV":
        return "move"
    for kind, names in (("multiply", MULTIPLY), ("fused", FUSED), ("integer", INTEGER), ("load", LOAD), ("store", STORE)):
        if base in names:
            return kind
    return "other"


def blocks(instructions):
    """Straight lines: they end at branches, and before addresses that a branch goes to."""
    targets = {instruction.target for instruction in instructions}
    block = []
    for instruction in instructions:
        if block and instruction.address in targets:
            yield block
            block = []
        block.append(instruction)
        if instruction.operation.split(".")[0] in BRANCH:
            yield block
            block = []
    if block:
        yield block


def loop_around(instructions, block):
    """Instructions from the head of the smallest loop around the block to the block's end; from the kernel's start without
    a loop."""
    first, last = block[0].address, block[-1].address
    heads = [i.target for i in instructions if i.target is not None and i.target <= first and i.address >= last]
    head = max(heads, default=instructions[0].address)
    return [i for i in instructions if head <= i.address <= last]


def count(instructions):
    return collections.Counter(kind_of(instruction.operation) for instruction in instructions)


def report(instructions, fused):
    """Counts of the main block and of the loop around it; None for kernels without a multiply."""

    def multiplies(counts):
        return counts["multiply"] + (counts["fused"] if fused else 0)

    main = max(blocks(instructions), key=lambda block: multiplies(count(block)), default=[])
    counts = count(main)
    if not multiplies(counts):
        return None
    return multiplies(counts), counts, count(loop_around(instructions, main))


def demangled(names):
    tool = shutil.which("cu++filt") or shutil.which("c++filt")
    if tool is None or not names:
        return {name: name for name in names}
    output = subprocess.run([tool], input="\n".join(names), capture_output=True, text=True, check=True).stdout.splitlines()
    return dict(zip(names, output)) if len(output) == len(names) else {name: name for name in names}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=argparse.FileType("r"), default=sys.stdin, help="default: standard input")
    parser.add_argument("--match", default="", metavar="REGEX", help="only kernels whose demangled name matches")
    parser.add_argument("--fused", action="store_true", help="fused multiply-adds count as multiplies too")
    parser.add_argument("--max", type=float, metavar="N", help="exit with 1 where a main block has more a multiply")
    parser.add_argument("--width", type=int, default=100, help="characters of a kernel's name")
    arguments = parser.parse_args()
    kernels = parse(arguments.file)
    names = demangled(list(kernels))
    found, above = False, False
    print(f"{'multiplies':>10} {'integer':>8} {'a multiply':>16} {'loads':>6} {'stores':>6} {'moves':>6} {'other':>6}  kernel")
    for mangled, instructions in kernels.items():
        if not re.search(arguments.match, names[mangled]):
            continue
        result = report(instructions, arguments.fused)
        if result is None:
            continue
        found = True
        multiplies, main_block, loop = result
        each = main_block["integer"] / multiplies
        above = above or (arguments.max is not None and each > arguments.max)
        shares = f"{each:.2f} ({loop['integer'] / multiplies:.2f})"
        print(f"{multiplies:10} {main_block['integer']:8} {shares:>16} {main_block['load']:6} {main_block['store']:6} "
              f"{main_block['move']:6} {main_block['other']:6}  {names[mangled][: arguments.width]}")
    if not found:
        print("sass_count.py: no kernel with a multiply matches", file=sys.stderr)
    return 1 if above or not found else 0


if __name__ == "__main__":
    sys.exit(main())
