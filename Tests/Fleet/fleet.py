"""Migrates many copies of a store, first undisturbed, then killed at random moments.

    fleet.py --pipeline COMMAND --file FILE --store STORE --folder FOLDER
             [--stores N] [--jobs N] [--every SECONDS] [--wait SECONDS] [--seed N]

The first pass prints, for each tenth of the stores, how long it took and the memory of the command:
time that grows with the stores, and memory that does not. Then `pipeline fleet` looks at all stores
and has to find each done, within a minute. In the second pass Ctrl-C, and then SIGKILL again and
again, ends the command at random moments, one each SECONDS on average, and the same command is
given again until it ends by itself. Ctrl-C has to end it within the SECONDS of --wait, one unless
given. After each end, every store that was touched has the rows of the old one or of the new one;
at the end each has those of the new one, exactly one record of a run, and one backup. The status is
1 if one of that is not so, or if the memory grows by more than 20 MiB.
"""

import argparse
import json
import os
import pathlib
import plistlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

MOST_GROWTH = 20 << 20
MOST_SECONDS = 60
# What a run writes of itself, and when: two runs never have the same.
OWN_TABLES = {"Z_METADATA", "Z_MODELCACHE", "ATRANSACTION", "ATRANSACTIONSTRING", "ACHANGE"}


def words():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ["--pipeline", "--file", "--store", "--folder"]:
        parser.add_argument(name, required=True, type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--stores", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--wait", type=float, default=1)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    return parser.parse_args()


def rows(store, scratch):
    """The rows of a store as an application would read them: of a copy, and its journal."""
    copy = scratch / store.name
    for suffix in ["", "-journal", "-wal"]:
        for old in [pathlib.Path(f"{copy}{suffix}"), pathlib.Path(f"{copy}-shm")]:
            old.unlink(missing_ok=True)
        source = pathlib.Path(f"{store}{suffix}")
        if source.exists():
            shutil.copyfile(source, f"{copy}{suffix}")
    connection = sqlite3.connect(copy)
    try:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
        tables = [name for (name,) in names if name not in OWN_TABLES]
        found = [
            (name, connection.execute(f'SELECT * FROM "{name}"').fetchall()) for name in tables]
        metadata = connection.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0]
        return repr([(name, sorted(map(repr, all))) for name, all in found]), metadata
    finally:
        connection.close()


def lay(options, folder):
    """The stores, and the list of them."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "stores").mkdir(parents=True)
    stores = [folder / "stores" / f"{number:05}.sqlite" for number in range(options.stores)]
    for store in stores:
        shutil.copyfile(options.store, store)
    (folder / "list").write_text("".join(f"{store}\n" for store in stores))
    return stores


class Command:
    """The command, and how many stores it has reported."""

    def __init__(self, options, folder):
        self.done = 0
        self.last = ""
        self.process = subprocess.Popen(
            [options.pipeline, "run", options.file, "--stores-from", folder / "list"]
            + ["--jobs", str(options.jobs)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
        self.readers = [
            threading.Thread(target=self.count, daemon=True),
            threading.Thread(target=self.keep, daemon=True)]
        for reader in self.readers:
            reader.start()

    def count(self):
        for line in self.process.stderr:
            if line.split(" ", 1)[0].count("/") == 1:
                self.done += 1

    def keep(self):
        for line in self.process.stdout:
            self.last = line.strip() or self.last

    def memory(self):
        """The bytes that it has in memory, and the seconds of processor that it has taken."""
        try:
            folder = pathlib.Path(f"/proc/{self.process.pid}")
            pages = int((folder / "statm").read_text().split()[1])
            # One that has ended, and was not waited for, has none.
            if pages == 0:
                return None
            # utime and stime, behind the name, which may have spaces (proc_pid_stat(5)).
            ticks = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
            seconds = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
            return pages * os.sysconf("SC_PAGE_SIZE"), seconds
        except (OSError, IndexError):
            return self.memory_by_ps()

    def memory_by_ps(self):
        said = subprocess.run(
            ["ps", "-o", "rss=,time=", "-p", str(self.process.pid)], capture_output=True, text=True)
        parts = said.stdout.split()
        if len(parts) != 2:
            return None
        seconds = 0
        for part in parts[1].replace("-", ":").split(":"):
            seconds = seconds * 60 + float(part)
        return int(parts[0]) << 10, seconds

    def end(self):
        self.process.wait()
        for reader in self.readers:
            reader.join()
        return self.process.returncode


def undisturbed(options, folder):
    """The table of the first pass, and by how much the memory has grown."""
    lay(options, folder)
    print(f"{'stores':>8} {'seconds':>9} {'CPU s':>8} {'ms a store':>11} {'memory MiB':>11}")
    command, start = Command(options, folder), time.monotonic()
    lines, tenth = [], options.stores / 10
    held, taken, before = 0, 0.0, (0, 0.0)
    while command.process.poll() is None:
        held, taken = command.memory() or (held, taken)
        if command.done >= tenth * (len(lines) + 1):
            seconds = time.monotonic() - start
            each = (seconds - before[1]) * 1000 / max(1, command.done - before[0])
            print(f"{command.done:8} {seconds:9.1f} {taken:8.1f} {each:11.1f} {held / 2**20:11.1f}")
            sys.stdout.flush()
            lines.append((each, held))
            before = (command.done, seconds)
        time.sleep(0.1)
    if command.end() != 0:
        sys.exit(f"the undisturbed pass ended with {command.process.returncode}: {command.last}")
    print(f"undisturbed: {command.last}")
    # The first tenth has what is set up once.
    growth = lines[-1][1] - lines[0][1] if len(lines) > 1 else 0
    slower = lines[-1][0] / lines[0][0] if len(lines) > 1 else 1
    print(f"the last tenth took {slower:.2f} times as long as the first, memory grew by "
          f"{growth / 2**20:.1f} MiB")
    return growth


def looked(options, folder):
    """Looks at all stores after the first pass; gives back what was wrong."""
    start = time.monotonic()
    said = subprocess.run(
        [options.pipeline, "fleet", folder / "stores", "--json"], capture_output=True, text=True)
    seconds = time.monotonic() - start
    if said.returncode != 0:
        return [f"pipeline fleet ended with {said.returncode}: {said.stderr}"]
    picture = json.loads(said.stdout)
    done = sum(part["count"] for part in picture["statuses"] if part["status"] == 0)
    print(f"pipeline fleet: {picture['count']} stores, {done} done, in {seconds:.1f} s")
    faults = []
    if (picture["count"], done) != (options.stores, options.stores):
        faults.append("pipeline fleet does not show each store as done")
    if seconds > MOST_SECONDS:
        faults.append(f"pipeline fleet took more than {MOST_SECONDS} s")
    return faults


class Stores:
    """The stores of the second pass, and which were found new."""

    def __init__(self, options, folder):
        self.paths = lay(options, folder)
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self.old, _ = rows(options.store, self.scratch)
        self.new = self.reference(options, folder)
        self.are_new = set()
        self.faults = []

    def reference(self, options, folder):
        result = folder / "reference.sqlite"
        subprocess.run(
            [options.pipeline, "run", options.file, options.store, "--output", result, "--quiet"]
            + ["--work", folder / "reference"], check=True, capture_output=True)
        return rows(result, self.scratch)[0]

    def check(self, moment):
        """Reads each store that was touched, but for those that were found new."""
        for store in self.paths:
            if store in self.are_new or not os.path.exists(f"{store}.pipeline"):
                continue
            try:
                found, _ = rows(store, self.scratch)
            except sqlite3.Error as error:
                self.faults.append(f"{moment}: {store.name} cannot be read: {error}")
                continue
            if found == self.new:
                self.are_new.add(store)
            elif found != self.old:
                self.faults.append(f"{moment}: {store.name} is neither old nor new")

    def check_end(self):
        for store in self.paths:
            found, metadata = rows(store, self.scratch)
            if found != self.new:
                self.faults.append(f"at the end: {store.name} is not new")
            runs = len(plistlib.loads(metadata).get("PipelineLog", []))
            backups = len(os.listdir(f"{store}.pipeline/backups"))
            if (runs, backups) != (1, 1):
                self.faults.append(
                    f"at the end: {store.name} has {runs} records of runs, {backups} backups")


def disturbed(options, folder, chance):
    """The second pass; gives back what was wrong."""
    stores, kills = Stores(options, folder), 0
    start = time.monotonic()
    while True:
        command = Command(options, folder)
        moment = time.monotonic() + chance.uniform(0, 2 * options.every)
        while command.process.poll() is None and time.monotonic() < moment:
            time.sleep(0.01)
        if command.process.poll() is not None:
            break
        is_asked, asked = kills == 0, time.monotonic()
        command.process.send_signal(signal.SIGINT if is_asked else signal.SIGKILL)
        status = command.end()
        kills += 1
        if is_asked:
            waited = time.monotonic() - asked
            print(f"Ctrl-C: status {status} after {waited:.2f} s")
            if waited > options.wait:
                stores.faults.append(f"Ctrl-C ended the command after {waited:.2f} s")
        # The signal may come before the command heeds it, or when all is done.
        if is_asked and status not in (0, 130, -signal.SIGINT):
            stores.faults.append(f"Ctrl-C ended the command with {status}")
        before = len(stores.are_new)
        stores.check(f"kill {kills}")
        print(f"kill {kills}: {len(stores.are_new)} of {options.stores} are new, "
              f"{len(stores.are_new) - before} since the last; {len(stores.faults)} faults")
        sys.stdout.flush()
    if command.end() != 0:
        stores.faults.append(f"the last command ended with {command.process.returncode}")
    print(f"killed {kills} times: {command.last}")
    stores.check_end()
    print(f"{options.stores} stores in {time.monotonic() - start:.0f} s: "
          f"{options.stores - len(stores.faults)} new, each by one run")
    return stores.faults


def main():
    options = words()
    # In the background of a script it is ignored, and the commands would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(f"{options.stores} stores of {options.store.stat().st_size // 1024} KiB, "
          f"--jobs {options.jobs}, seed {options.seed}")
    try:
        growth = undisturbed(options, options.folder)
        faults = looked(options, options.folder)
        faults += disturbed(options, options.folder, random.Random(options.seed))
    finally:
        shutil.rmtree(options.folder, ignore_errors=True)
    if growth > MOST_GROWTH:
        faults.append(f"the memory grew by {growth / 2**20:.1f} MiB, more than 20")
    for fault in faults[:20]:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
