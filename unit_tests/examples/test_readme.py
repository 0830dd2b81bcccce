# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the README against the sources: snippets are the compiled examples, printed output is what they print, and the
commands of the program's section run.

usage: test_readme.py SOURCE_DIR BIN_DIR
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

source, bin_dir = map(pathlib.Path, sys.argv[1:3])
readme = (source / "README.md").read_text()
failures = []


def check(condition, message):
    if not condition:
        failures.append(message)


def blocks(kind, language):
    return re.findall(rf"<!-- {kind}: (\S+) -->\n```{language}\n(.*?)```", readme, re.S)


def without_header(text):
    return re.sub(r"\A(//[^\n]*\n)+", "", text)


snippets = blocks("snippet", "cpp")
check(snippets, "README has no snippets")
for path, text in snippets:
    check(without_header((source / path).read_text()) == text, f"the snippet of {path} is not what the file says")

outputs = blocks("output", "text")
check(outputs, "README has no outputs")
environment = dict(os.environ, OMP_NUM_THREADS="2", OMP_PROC_BIND="false")
for path, text in outputs:
    program = bin_dir / ("example_" + pathlib.Path(path).stem)
    run = subprocess.run([program], env=environment, capture_output=True, text=True)
    check(run.returncode == 0, f"{program.name} exits with {run.returncode}")
    printed = "\n".join(line for line in run.stdout.splitlines())
    check(printed.strip() == text.strip(), f"{program.name} prints other text than the README:\n{printed}")

section = readme.split("\n## The program\n")[1].split("\n## ")[0]
commands = [line for line in re.search(r"```sh\n(.*?)```", section, re.S)[1].splitlines() if line.startswith("kast ")]
check(len(commands) >= 4, "README shows no commands of the program")
with tempfile.TemporaryDirectory() as folder:
    for command in commands:
        words = shlex.split(command)
        run = subprocess.run([bin_dir / "kast", *words[1:]], cwd=folder, env=environment, capture_output=True, text=True)
        check(run.returncode == 0, f"{command}: exit status {run.returncode}: {run.stderr.strip()}")

for anchor in re.findall(r"\]\(#([^)]+)\)", readme):
    headings = [re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^## (.*)$", readme, re.M)]
    check(anchor in headings, f"the table of contents names #{anchor}, which is no heading")

for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
