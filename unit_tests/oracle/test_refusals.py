#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the `kast` program does when it cannot: exit status, one line, the folder as before, little memory. Standard library
only.

usage: test_refusals.py KAST"""
import os
import pathlib
import re
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

KAST = sys.argv[1]
COMMANDS = ("demo", "run", "make", "info")


def npy(header, data=b"", version=(1, 0), length=None):
    header = header.encode("latin1")
    length = len(header) if length is None else length
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", length) + header + data


def header(shape="(4,)", descr="'<f8'", order="False"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


GOOD = npy(header(), struct.pack("<4d", 1, 2, 3, 4))
BAD = {
    "empty": b"",
    "wrong magic": b"NOT NUMPY" + GOOD[9:],
    "truncated in the magic": GOOD[:4],
    "truncated in the header": GOOD[:40],
    "truncated in the data": GOOD[:-1],
    "unknown version": b"\x93NUMPY\x09\x00" + GOOD[8:],
    "lying length": npy(header(), b"", length=60000),
    "oversized header": npy(header() + " " * 65536, bytes(32), (2, 0)),
    "length of 4 GiB": npy(header(), bytes(32), (2, 0), length=0xffffffff),
    "object": npy(header(descr="'|O'"), bytes(32)),
    "structured": npy(header(descr="[('a', '<f8')]"), bytes(32)),
    "big-endian": npy(header(descr="'>f8'"), bytes(32)),
    "text": npy(header(descr="'<U4'"), bytes(64)),
    "negative shape": npy(header("(-4,)"), bytes(32)),
    "overflowing extent": npy(header("(99999999999999999999,)"), bytes(32)),
    "overflowing product": npy(header("(4294967296, 4294967296, 4)"), bytes(32)),
    "more than there is": npy(header("(1000000000000,)"), bytes(32)),
    "rank 9": npy(header("(1, 1, 1, 1, 1, 1, 1, 1, 1)"), bytes(32)),
    "Python 2 long": npy(header("(4L,)"), bytes(32)),
    "code": npy("__import__('os').system('true')\n", bytes(32)),
    "line breaks in a name": npy(header(descr="'a\\n\\nb'"), bytes(32)),
}


class Result:
    def __init__(self, words, environment=None, cwd=None):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen([KAST, *map(str, words)], stdout=out, stderr=err, env=environment, cwd=cwd)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read().decode(), err.read().decode()
        self.status, self.peak_kib = process.returncode, usage.ru_maxrss


class RefusalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "good.npy").write_bytes(GOOD)

    def state(self):
        return {p.name: p.read_bytes() if p.is_file() else None for p in self.path.iterdir()}

    def refuse(self, *words, status=1, environment=None, peak=None):
        """Runs a call that must be refused, and gives the text after `kast: `."""
        before = self.state()
        result = Result(words, environment, self.path)
        self.assertEqual(result.status, status, f"{words}: {result.err}")
        self.assertEqual(result.out, "", words)
        first, rest = result.err.split("\n", 1)
        self.assertTrue(first.startswith("kast: "), result.err)
        if status == 1:
            self.assertEqual(rest, "", f"{words}: more than one line")
        else:
            self.assertIn("usage: kast", rest)
        self.assertEqual(self.state(), before, f"{words}: the folder changed")
        if peak is not None:
            self.assertLess(result.peak_kib, peak, f"{words}: peak memory in KiB")
        return first[len("kast: "):]

    def accept(self, *words, environment=None):
        result = Result(words, environment, self.path)
        self.assertEqual((result.status, result.err), (0, ""), words)
        return result.out


class Files(RefusalTest):
    def test_bad_files(self):
        peak = Result(["info"]).peak_kib + 16 * 1024
        for name, data in BAD.items():
            with self.subTest(name):
                (self.path / "bad.npy").write_bytes(data)
                for words in (("bad.npy", "good.npy"), ("good.npy", "bad.npy")):
                    for environment in (None, {}):
                        text = self.refuse("run", "add", *words, "-o", "out.npy", environment=environment, peak=peak)
                        self.assertTrue(text.startswith("bad.npy: "), text)

    def test_sparse_file_of_a_terabyte(self):
        peak = Result(["info"]).peak_kib + 16 * 1024
        with open(self.path / "huge.npy", "wb") as file:
            file.write(npy(header("(137438953472,)")))
            try:
                file.truncate(2**40 + 4096)
            except OSError:
                self.skipTest("no sparse files here")
        result = Result(["run", "add", "huge.npy", "bad-name.npy", "-o", "out.npy"], cwd=self.path)
        self.assertEqual((result.status, result.err.count("\n")), (1, 1), result.err)
        self.assertLess(result.peak_kib, peak)

    def test_names(self):
        self.assertIn("none.npy: cannot be opened", self.refuse("run", "add", "none.npy", "good.npy", "-o", "out.npy"))
        (self.path / "folder").mkdir()
        self.assertIn("folder: is no regular file", self.refuse("run", "add", "folder", "good.npy", "-o", "out.npy"))
        self.assertIn("folder: ", self.refuse("run", "add", "good.npy", "good.npy", "-o", "folder"))
        self.assertIn("none/out.npy: cannot be written", self.refuse("run", "add", "good.npy", "good.npy", "-o", "none/out.npy"))
        self.assertIn("/dev/null: ", self.refuse("make", "3", "-o", "/dev/null"))
        self.refuse("run", "add", "two\nlines.npy", "good.npy", "-o", "out.npy")
        os.mkfifo(self.path / "pipe")
        self.refuse("run", "add", "pipe", "good.npy", "-o", "out.npy")

    def test_no_room(self):
        self.assertIn("no room for", self.refuse("make", "1000000000000000", "-o", "out.npy"))
        limited = f"ulimit -f 100; exec '{KAST}' make 1000000 -o out.npy"
        done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, cwd=self.path)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertEqual(list(self.state()), ["good.npy"])

    def test_old_output_survives_a_refusal(self):
        (self.path / "out.npy").write_bytes(b"precious")
        (self.path / "bad.npy").write_bytes(BAD["truncated in the data"])
        self.refuse("run", "add", "bad.npy", "good.npy", "-o", "out.npy")
        self.assertEqual((self.path / "out.npy").read_bytes(), b"precious")

    def test_permissions_follow_the_umask(self):
        subprocess.run(["bash", "-c", f"umask 037; exec '{KAST}' make 3 -o out.npy"], check=True, cwd=self.path)
        self.assertEqual(stat.S_IMODE((self.path / "out.npy").stat().st_mode), 0o640)

    def test_a_signal_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([KAST, "make", "40000000", "-o", "out.npy"], cwd=self.path)
            deadline = time.monotonic() + 30
            while len(self.names()) == 1 and time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(number)
            self.assertEqual(process.wait(), -number)
            self.assertEqual(self.names(), ["good.npy"])

    def names(self):
        return sorted(p.name for p in self.path.iterdir())


class Operands(RefusalTest):
    def save(self, name, shape, descr="'<f8'", size=8):
        count = 1
        for extent in shape:
            count *= extent
        text = "(" + "".join(f"{extent}, " for extent in shape) + ")"
        (self.path / name).write_bytes(npy(header(text.replace(", )", ",)")), bytes(count * size)) if descr == "'<f8'"
                                       else npy(header(text.replace(", )", ",)"), descr), bytes(count * size)))

    def test_shapes_name_operation_operand_axis_and_shapes(self):
        self.save("a.npy", (3, 4))
        self.save("b.npy", (2, 5, 4))
        text = self.refuse("run", "multiply", "a.npy", "b.npy", "-o", "out.npy")
        for part in ("multiply", "input 1", "axis 1", "(3,4)", "(2,5,4)"):
            self.assertIn(part, text)

    def test_types_without_a_loop(self):
        self.save("u.npy", (3,), "'<u8'")
        self.save("i.npy", (3,), "'<i8'")
        self.save("b.npy", (3,), "'|b1'", 1)
        self.save("c.npy", (3,), "'<c16'", 16)
        self.save("f.npy", (3,))
        for words in (["bitwise_and", "u.npy", "i.npy"], ["left_shift", "f.npy", "i.npy"], ["subtract", "b.npy", "b.npy"],
                      ["negative", "b.npy"], ["floor", "c.npy"], ["power", "c.npy", "c.npy"], ["invert", "f.npy"],
                      ["fma", "i.npy", "i.npy", "i.npy"]):
            text = self.refuse("run", *words, "-o", "out.npy")
            self.assertTrue(text.startswith(words[0] + ": "), text)

    def test_negative_powers(self):
        (self.path / "i.npy").write_bytes(npy(header(descr="'<i8'"), struct.pack("<4q", 1, 2, -1, 3)))
        self.assertIn("negative integer powers", self.refuse("run", "power", "i.npy", "i.npy", "-o", "out.npy"))

    def test_spaces(self):
        text = self.refuse("run", "add", "good.npy", "good.npy", "-o", "out.npy", "--space", "Abacus")
        self.assertIn("Abacus", text)
        self.assertRegex(text, r"; available: \w+(, \w+)*$")
        for space in text.split("; available: ")[1].split(", "):
            self.accept("run", "add", "good.npy", "good.npy", "-o", f"{space}.npy", "--space", space)
            self.assertEqual((self.path / f"{space}.npy").read_bytes()[-32:], struct.pack("<4d", 2, 4, 6, 8))


class Calls(RefusalTest):
    def test_calls_that_are_off(self):
        io = ["good.npy", "good.npy", "-o", "out.npy"]
        for words in (["walk"], ["run"], ["run", "add"], ["run", "add", "good.npy", "good.npy"], ["run", "walk", *io],
                      ["run", "add", "good.npy", "-o", "out.npy"], ["run", "negative", *io], ["run", "add", *io, "-o", "two.npy"],
                      ["run", "add", *io, "--budget", "1"], ["run", "add", *io, "--dtype", "f8"], ["run", "add", *io, "--space"],
                      ["run", "cast", "good.npy", "-o", "out.npy"], ["run", "cast", "good.npy", "-o", "out.npy", "--dtype", "x"],
                      ["run", "add", *io, "--kokkos-no-such-flag"],
                      ["make"], ["make", "3"], ["make", "3x", "-o", "out.npy"], ["make", "x3", "-o", "out.npy"],
                      ["make", "3x-4", "-o", "out.npy"], ["make", "", "-o", "out.npy"], ["make", "3", "4", "-o", "out.npy"],
                      ["make", "1x1x1x1x1x1x1x1x1", "-o", "out.npy"], ["make", "99999999999999999999", "-o", "out.npy"],
                      ["make", "3", "-o", "out.npy", "--dtype", "f3"], ["make", "3", "-o", "out.npy", "--fill", "lots"],
                      ["make", "3", "-o", "out.npy", "--dtype", "u1", "--fill", "256"],
                      ["make", "3", "-o", "out.npy", "--dtype", "i1", "--fill", "-129"],
                      ["make", "3", "-o", "out.npy", "--dtype", "i4", "--fill", "1.5"],
                      ["make", "3", "-o", "out.npy", "--order", "K"], ["make", "3", "-o", "out.npy", "--seed", "x"],
                      ["info", "more"], ["info", "--yaml"], ["demo", "more"], ["help", "walk"]):
            with self.subTest(words):
                self.refuse(*words, status=2)

    def test_overflowing_product(self):
        self.refuse("make", "4294967296x4294967296", "-o", "out.npy")

    def test_no_words(self):
        result = Result([])
        self.assertEqual((result.status, result.out), (2, ""))
        self.assertTrue(result.err.startswith("usage: kast"))

    def test_kokkos_flags(self):
        run = ["run", "add", "good.npy", "good.npy", "-o", "out.npy"]
        for environment in (None, {}):
            text = self.refuse(*run, "--kokkos-num-threads=many", environment=environment)
            self.assertIn("kokkos-num-threads", text)
        self.assertIn("KOKKOS_NUM_THREADS", self.refuse(*run, environment={"KOKKOS_NUM_THREADS": "many"}))
        self.accept(*run, "--kokkos-num-threads=1")

    def test_help(self):
        for words in (["--help"], ["-h"], ["help"]):
            self.assertIn("usage: kast COMMAND", self.accept(*words))
        for command in COMMANDS:
            usage = self.accept(command, "--help")
            self.assertTrue(usage.startswith(f"usage: kast {command}"), usage)
            self.assertEqual(usage, self.accept("help", command))

    def test_bare_environment(self):
        self.accept("run", "add", "good.npy", "good.npy", "-o", "out.npy", environment={})
        self.accept("info", environment={})

    def test_info(self):
        import json
        facts = json.loads(self.accept("info", "--json"))
        lines = self.accept("info")
        for key in ("version", "commit", "kokkos", "compiler"):
            self.assertIn(facts[key], lines)
        self.assertRegex(facts["version"], r"^\d+\.\d+\.\d+$")
        self.assertRegex(facts["kokkos"], r"^\d+\.\d+\.\d+$")
        self.assertTrue(set(facts["available"]) <= set(facts["backends"]))
        self.assertIn(re.search(r"available +(.*)", lines).group(1), [", ".join(facts["available"])])


class Demo(RefusalTest):
    def test_rows(self):
        import json
        rows = json.loads(self.accept("demo", "--json"))
        backends = json.loads(self.accept("info", "--json"))["available"]
        forms = ["multiply", "vectorize", "vectorize, replicated", "plain MDRangePolicy"]
        self.assertEqual([(r["backend"], r["form"]) for r in rows], [(b, f) for b in backends for f in forms])
        for row in rows:
            self.assertTrue(row["equal"])
            for key in ("first_s", "median_s", "kernel_s", "host_to_host_s", "ratio_to_copy"):
                self.assertGreater(row[key], 0, key)

    def test_a_wrong_row_is_found(self):
        for row, name in ((0, "multiply"), (2, "vectorize, replicated")):
            result = Result(["demo", "--plant-fault", row])
            self.assertEqual(result.status, 1)
            self.assertRegex(result.err, rf"^kast: demo: wrong result: \w+ {name}\n$")
            self.assertEqual(result.out.count(" NO\n"), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
