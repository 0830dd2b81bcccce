#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one snippet as the build compiles its tests, without making an object, and looks at what the compiler says.

check.py COMPILE_COMMANDS LIKE SNIPPET   LIKE: the test source whose compile command is taken

A snippet says on lines of its own what is expected: `// error: TEXT` for each text that must be among the errors (any number of
blanks in it match line breaks), or `// compiles` where there must be none. Ends with 0, 1, or 77 where a snippet needs
(`// needs: cuda`) what the build does not have.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys


def command_for(commands, like, snippet):
    """The compile command of `like`, for `snippet`, as (arguments, folder)."""
    entry = next(e for e in json.loads(commands.read_text()) if pathlib.Path(e["file"]).name == like)
    words = shlex.split(entry["command"]) if "command" in entry else entry["arguments"]
    result, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif word not in ("-c", "-MD", "-MMD") and pathlib.Path(word).name != like:
            result.append(word)
    return result + ["-fsyntax-only", "-w", str(snippet)], entry["directory"]


def main():
    commands, like, snippet = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    source = snippet.read_text()
    expected = re.findall(r"^// error: (.+)$", source, re.MULTILINE)
    compiles = re.search(r"^// compiles$", source, re.MULTILINE) is not None
    if bool(expected) == compiles:
        sys.exit(f"{snippet.name} must say either what its errors are or that it compiles")
    arguments, folder = command_for(commands, like, snippet)
    if re.search(r"^// needs: cuda$", source, re.MULTILINE) and not any("nvcc" in word for word in arguments[:3]):
        print("SKIPPED: needs a CUDA build")
        sys.exit(77)

    run = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)
    output = re.sub(r"\s+", " ", run.stdout + run.stderr)
    if compiles:
        if run.returncode != 0:
            sys.exit(f"{snippet.name} must compile:\n{run.stderr[:4000]}")
        return
    if run.returncode == 0:
        sys.exit(f"{snippet.name} compiles, but must not")
    for text in expected:
        if re.sub(r"\s+", " ", text) not in output:
            sys.exit(f"{snippet.name}: not among the errors: {text}\n{run.stderr[:4000]}")


main()
