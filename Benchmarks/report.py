#!/usr/bin/env python3
"""Writes the table and the plot of Benchmarks/README.md from the output of the benchmarks.

    Benchmarks/report.py            runs all benchmarks and probes first, three times
    Benchmarks/report.py --runs N   the same, N times
    Benchmarks/report.py FOLDER...  takes what such runs have left in folders

Only the standard library of Python is needed.
"""

import argparse
import datetime
import json
import math
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRATCH = HERE.parent / ".build" / "benchmarks"
DESCRIPTION = "run.txt"
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="how often everything is measured")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("at least one run is needed")
    folders = arguments.folders or measure(arguments.runs)
    results = Results(folders)
    results.complain_of_missing_figures()
    last = folders[-1] / DESCRIPTION
    if not last.exists():
        sys.exit(f"{folders[-1]} has no {DESCRIPTION}, which says where and when it was measured.")
    description = f"{last.read_text().strip()} Runs: {len(folders)}."
    table = "\n".join([description, "", *target_table(results), "", *time_table(results)])
    readme = HERE / "README.md"
    before, rest = readme.read_text().split(BEGIN)
    after = rest.split(END)[1]
    readme.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")
    (HERE / "one-change.svg").write_text(plot(results))


def measure(count):
    """Runs every benchmark and probe in a process of its own, `count` times; answers the folders of
    the figures.

    All benchmarks run before all probes: the package is built with other flags for either.
    """
    folders = [SCRATCH / "figures" / str(number) for number in range(1, count + 1)]
    package = ["--package-path", HERE, "--scratch-path", SCRATCH]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.json*"):
            file.unlink()
        subprocess.run(
            ["swift", "package", *package,
             "--allow-writing-to-package-directory", "--allow-writing-to-directory", folder,
             "benchmark", "--target", "DiffableBenchmarks", "--format", "jmh", "--path", folder,
             "--no-progress"],
            check=True)
    build = ["swift", "build", *package, "-c", "release"]
    subprocess.run(build, check=True)
    programs = Path(subprocess.run(
        [*build, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip())
    probes = subprocess.run(
        [programs / "DiffableProbes"], check=True, capture_output=True, text=True).stdout.split()
    for folder in folders:
        with open(folder / "probes.jsonl", "w") as figures:
            for probe in probes:
                subprocess.run([programs / "DiffableProbes", probe], check=True, stdout=figures)
            subprocess.run([programs / "DiffableProbesInOneModule"], check=True, stdout=figures)
        with open(folder / "clients.jsonl", "w") as figures:
            for figure in measure_clients(programs / "Modules"):
                figures.write(json.dumps(figure) + "\n")
        (folder / DESCRIPTION).write_text(describe_run() + "\n")
    return folders


def measure_clients(modules):
    """What a program pays that has one source, in machine code and in time of the compiler, and one
    that does without the library.

    Processor time: a compiler that waits for its neighbours has not more to do. It is compiled
    `again`: once before, so that the toolchain has been read, and then in turns.
    """
    clients = {
        "ours": HERE.parent / "Tests/DiffableTests/DataSource/CompileTime/Programs"
                            / "CompilesOneSource.swift",
        "array": HERE / "Benchmarks/Clients/ActorOfArray.swift",
    }
    objects = {who: SCRATCH / f"client-{who}.o" for who in clients}
    times = {who: [] for who in clients}

    def compile(who):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            ["swiftc", "-O", "-wmo", "-swift-version", "6", "-parse-as-library",
             "-module-name", "Client", "-I", modules, "-c", clients[who], "-o", objects[who]],
            check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    compile("array")
    # Five times, or fewer where that would take minutes.
    while len(times["ours"]) < 5 and sum(times["ours"]) < 60:
        for who in clients:
            times[who].append(compile(who))
    for who in clients:
        yield {"name": f"client/code/one-source/{who}", "unit": "bytes",
               "values": [machine_code(objects[who])]}
        yield {"name": f"client/compile/one-source/{who}", "unit": "seconds",
               "values": times[who]}


def machine_code(file):
    """The bytes of an object file that a processor executes."""
    info = subprocess.run(
        ["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    programs = Path(json.loads(info)["paths"]["runtimeResourcePath"]).parents[1] / "bin"
    sections = subprocess.run(
        [programs / "llvm-objdump", "--section-headers", file],
        check=True, capture_output=True, text=True).stdout
    # Index, name, size, address, and what is in it.
    return sum(int(size, 16) for size in re.findall(
        r"^ *\d+ +\S+ +([0-9a-f]+) +[0-9a-f]+ +TEXT", sections, re.MULTILINE))


class Run:
    """Figures by name. A name ends in `/x100` where a figure is that of 100 operations."""

    def __init__(self, folder):
        self.figures, self.units = {}, {}
        for file in folder.glob("*.jmh.json"):
            for element in json.loads(file.read_text()):
                name = element["benchmark"].removeprefix("package.benchmark.DiffableBenchmarks.")
                metric = element["secondaryMetrics"]["Time (wall clock)"]
                self.add(name, "seconds", [f * 1e-6 for f in metric["rawData"][0]])
        for file in folder.glob("*.jsonl"):
            for line in file.read_text().splitlines():
                figure = json.loads(line)
                self.add(figure["name"], figure["unit"], figure["values"])

    def add(self, name, unit, figures):
        if counted := re.search(r"/x(\d+)$", name):
            figures = [f / int(counted[1]) for f in figures]
            name = name[:counted.start()]
        self.figures[name] = figures
        self.units[name] = unit

    def median(self, name):
        return statistics.median(self.figures[name]) if name in self.figures else None

    def ratio(self, name, base):
        """How often one figure holds the other; a figure that says something alone has no base."""
        one, other = self.median(name), 1 if base is None else self.median(base)
        return None if one is None or other is None else one / other


class Results:
    """What the runs say together.

    The neighbours of a shared machine slow down what needs much memory, for seconds or minutes.
    A ratio is taken within one run, and its median over the runs is what counts.
    """

    def __init__(self, folders):
        self.runs = [Run(folder) for folder in folders]
        self.units = {name: unit for run in self.runs for name, unit in run.units.items()}

    def complain_of_missing_figures(self):
        for _, figure, base, _ in targets():
            for name in [figure, base]:
                if name is not None and name not in self.units:
                    print(f"No figure of {name}.", file=sys.stderr)

    def median(self, name):
        medians = [run.median(name) for run in self.runs if name in run.figures]
        return statistics.median(medians) if medians else None

    def spread(self, name):
        """Where the middle four fifths of the figures of all runs lie."""
        figures = sorted(f for run in self.runs for f in run.figures.get(name, []))
        return figures[len(figures) // 10], figures[len(figures) * 9 // 10]

    def ratios(self, name, base):
        """The ratio of each run, the smallest first."""
        ratios = [run.ratio(name, base) for run in self.runs]
        return sorted(ratio for ratio in ratios if ratio is not None)


def targets():
    """What is measured, the figure, what it is divided by, and the most that it may come to.

    A figure that is divided by nothing is a ratio already, or a size.
    """
    yield "fresh apply, 100,000 UUIDs, 10,000 / 10,000 / 2,000 ÷ dictionary", \
        "apply/recipe/100000/ours", "apply/recipe/100000/dictionary", 0.1
    yield "fresh apply, 5,000 UUIDs, 1,000 / 1,000 / 200 ÷ dictionary", \
        "apply/recipe/5000/ours", "apply/recipe/5000/dictionary", 0.25
    yield "fresh apply, 100,000 UUIDs, as much scattered ÷ dictionary", \
        "apply/scattered/100000/ours", "apply/scattered/100000/dictionary", 1.3
    yield "fresh apply, 5,000 UUIDs, as much scattered ÷ dictionary", \
        "apply/scattered/5000/ours", "apply/scattered/5000/dictionary", 1.3
    yield "fresh apply, 100,000 UUIDs, one inserted ÷ hashing each once", \
        "apply/insert-one/100000/ours", "apply/insert-one/100000/hashing", 0.1
    yield "first apply to a filled source, 100,000 UUIDs, one inserted ÷ hashing each once", \
        "apply/first-insert-one/100000/ours", "apply/insert-one/100000/hashing", 0.1
    for workload in ["shuffled", "reversed", "disjoint"]:
        yield f"fresh apply, 100,000 UUIDs, {workload} ÷ dictionary", \
            f"apply/{workload}/100000/ours", f"apply/{workload}/100000/dictionary", 1.3
    yield "fresh apply, 100,000 sections of one item ÷ dictionary", \
        "apply/sections-100000-of-1/100000/ours", \
        "apply/sections-100000-of-1/100000/dictionary", 4
    yield "fresh apply of 10 rows, until another task has the batch ÷ bare delivery", \
        "delivery/apply/10/ours", "delivery/apply/10/bare", 2
    yield "apply of 100,000 models, 10 changed ÷ comparing each once", \
        "models/apply-10-changed/100000/ours", "models/apply-10-changed/100000/comparing", 4
    yield "apply of 1,000 models, 10 changed ÷ textbook", \
        "models/apply-10-changed/1000/ours", "models/apply-10-changed/1000/textbook", 0.3
    for count, goal in (20, 4), (100, 1.5), (1000, 0.5):
        yield f"apply of {count:,} models, a tenth changed ÷ textbook", \
            f"models/apply-tenth-changed/{count}/ours", \
            f"models/apply-tenth-changed/{count}/textbook", goal
    yield "apply of 100,000 models, 10,000 / 10,000 / 2,000 ÷ dictionary of their identifiers", \
        "models/recipe/100000/ours", "apply/recipe/100000/dictionary", 0.6
    yield "one row of 100,000 models set, until the filtered, sorted, grouped batch ÷ the base's", \
        "derived/set/100000/ours", "derived/set/100000/base", 2.5
    yield "the same: 1,000,000 models ÷ 1,000", \
        "derived/set/1000000/ours", "derived/set/1000/ours", 3
    yield "another filter of 100,000 models that keeps 1,000 ÷ `Array.filter`", \
        "derived/filter/100000/ours", "derived/filter/100000/array", 4
    yield "another order of 100,000 models ÷ `Array.sorted`", \
        "derived/sort/100000/ours", "derived/sort/100000/array", 2
    yield "a filter goes or comes after an order that is kept ÷ sorting again", \
        "derived/toggle/100000/ours", "derived/toggle/100000/anew", 0.4
    yield "one key of a search in 100,000 models ÷ `Array.filter`", \
        "derived/search/100000/ours", "derived/search/100000/array", 1.5
    yield "one row set in 6,400 groups in the order of their totals, with the first rows of each ÷ in groups alone", \
        "groups/set/6400/ours", "groups/set/6400/grouped", 4
    yield "one more group of them ÷ one more row", \
        "groups/insert-group/6400/ours", "groups/insert-row/6400/ours", 5
    yield "the same in groups alone", \
        "groups/insert-group/6400/grouped", "groups/insert-row/6400/grouped", 5
    for kind, what in [
            ("join/one", "shown in a row of another list"), ("join/many", "shown among others in such a row"),
            ("join/each", "shown as a row of a join"), ("join/outline", "shown below a row of another list"),
            ("parts", "shown as two parts"), ("intersection", "shown since another list has it"),
            ("subtraction", "shown since another list lacks it"), ("total", "in a sum")]:
        yield f"one row of 100,000 models set, {what} ÷ the base's", \
            f"combined/{kind}/100000/ours", "derived/set/100000/base", 4
    yield "a search of 100,000 rows of a tree that keeps 1,000 and their ancestors ÷ `Array.filter`", \
        "tree/search/100000/ours", "tree/search/100000/array", 4
    yield "one key of a search in 100,000 rows of a tree ÷ `Array.filter`", \
        "tree/search-title/100000/ours", "tree/search-title/100000/array", 4
    yield "one row set below that search, until its batch ÷ the base's", \
        "tree/set/100000/ours", "tree/set/100000/base", 4
    yield "1,000 lines appended to a million with that bound ÷ an array that drops as many", \
        "log/append/1000000/ours", "log/append/1000000/array", 3
    yield "a row set below 100 derived sources that nobody follows ÷ without them", \
        "derived/unfollowed/ours", "derived/unfollowed/alone", 1.1
    yield "a page of 50 models into 100,000 ÷ the same 50 by `update`", \
        "pages/append-50/100000/ours", "pages/append-50/100000/update", 1.5
    yield "one row on its way to a mirror: delta made, encoded, decoded, applied, 1,000,000 models ÷ 1,000", \
        "wire/one-change/1000000/ours", "wire/one-change/1000/ours", 3
    yield "bytes of a delta of one row among 10,000, beyond those of its model", \
        "wire/bytes/10000/ours", None, 400
    yield "a change at each of 5,000 followers of events ÷ a stream of ready bytes", \
        "followers/5000/ours", "followers/5000/stream", 3
    yield "an event at each of 5,000 followers that lag ÷ ready bytes, with the work of sending them", \
        "followers/lagging-5000/ours", "followers/lagging-5000/stream", 2
    yield "a write of a replicated source, log of 1 ms: 64 writers ÷ one", \
        "appends/1-ms/64/ours", "appends/1-ms/1/ours", 0.04
    yield "the same, log of 100 ms: 16 participants with 16 writers each ÷ one with 16", \
        "appends/100-ms/16-by-16/ours", "appends/100-ms/16/ours", 1.25
    yield "bytes of a proposal of one changed row among 10,000, beyond those of its model", \
        "wire/proposal-bytes/10000/ours", None, 250
    yield "`accept` of a proposal with one changed row among 100,000 ÷ the same by `update`", \
        "proposals/accept/100000/ours", "proposals/accept/100000/update", 3
    yield "1,000 followers that propose at once: time ÷ that of as many tasks with an `update` each", \
        "proposals/followers/100000/ours", "proposals/followers/100000/update", 3.33
    for who, state in [("ours", "both fresh"), ("known", "the old one compared before")]:
        yield f"`difference(from:)`, 100,000 UUIDs, one inserted, {state} ÷ hashing each once", \
            f"difference/insert-one/100000/{who}", "apply/insert-one/100000/hashing", 0.1
        for count, goal in [(100000, 0.25), (5000, 0.4)]:
            yield f"`difference(from:)`, recipe of {count:,}, {state} ÷ dictionary", \
                f"difference/recipe/{count}/{who}", f"apply/recipe/{count}/dictionary", goal
        for workload in ["shuffled", "reversed", "disjoint"]:
            yield f"`difference(from:)`, 100,000 UUIDs, {workload}, {state} ÷ dictionary", \
                f"difference/{workload}/100000/{who}", f"apply/{workload}/100000/dictionary", 1.3
    for edit in ["insert", "delete", "move"]:
        for suffix, identifiers in [("", "UUID"), ("-int", "Int"), ("-string", "String")]:
            yield f"update with one {edit}, {identifiers}: 1,000,000 items ÷ 1,000", \
                f"update/{edit}{suffix}/1000000/ours", f"update/{edit}{suffix}/1000/ours", 3
    yield "one edit by a task on no actor, 1,000 items ÷ a call of an idle actor", \
        "update/call/1000/ours", "snapshot/call/0/actor", 40
    yield "10,000 inserts in one update, 100,000 Ints ÷ as many into a dictionary", \
        "update/insert-10000-int/100000/ours", "update/insert-10000-int/100000/dictionary", 10
    yield "difference in 1,000,000 items: 10 edits ÷ 1 edit", \
        "stream/difference-10/1000000/ours", "stream/difference-1/1000000/ours", 10
    yield "64 writers, 100,000 items: time ÷ that of one writer", \
        "writers/64/100000/ours", "writers/1/100000/ours", 1.3
    yield "`snapshot`: 1,000,000 items ÷ 1,000", \
        "snapshot/take/1000000/ours", "snapshot/take/1000/ours", 1.5
    yield "copying a snapshot: 1,000,000 items ÷ 1,000", \
        "snapshot/copy/1000000/ours", "snapshot/copy/1000/ours", 1.5
    yield "memory, 1,000,000 UUIDs, one subscriber ÷ `[UUID]` and `[UUID: Int]`", \
        "memory/live/1000000/ours", "memory/live/1000000/dictionary", 1
    yield "memory, 1,000,000 models, one subscriber ÷ array of them and `[UUID: Int]`", \
        "memory/models/1000000/ours", "memory/models/1000000/dictionary", 1.1
    yield "memory after a million inserts and deletes ÷ before", \
        "memory/churned/1000000/ours", "memory/live/1000000/ours", 1.5
    yield "memory after everything is dropped ÷ live", \
        "memory/dropped/1000000/ours", "memory/live/1000000/ours", 0.01
    yield "worst single update while 1,000,000 items grow by a third ÷ median", \
        "growth/worst-to-median/1000000/ours", None, 100
    for kind, count in [("equal-hashes", 1000), ("thousand-a-hash", 10000),
                        ("slow-equality", 10000), ("long-strings", 2000), ("boxed", 100000)]:
        for workload in ["scattered", "shuffled"]:
            name = f"hostile/{kind}-{workload}/{count}"
            yield f"hostile identifiers, {kind}, {count:,}, {workload} ÷ dictionary", \
                f"{name}/ours", f"{name}/dictionary", 2
    for workload in ["equal", "scattered", "update"]:
        for identifiers in ["uuid", "int", "string"]:
            name = f"specialisation/{workload}-{identifiers}/100000"
            yield f"in another module ÷ in one module: {workload}, {identifiers}", \
                f"{name}/separate", f"{name}/one-module", 1.3
    yield "client of one source, release: machine code", "client/code/one-source/ours", None, 60e3
    yield "client of one source, release: compiling it ÷ the same with an actor of an array", \
        "client/compile/one-source/ours", "client/compile/one-source/array", 3
    yield "outline, 999 children unfold: 1,000,000 items ÷ 100,000", \
        "outline/expand/1000000/ours", "outline/expand/100000/ours", 3
    yield "layout, solve: 1,000,000 items ÷ 1,000", \
        "layout/solve/1000000/ours", "layout/solve/1000/ours", 3
    yield "layout, query: 1,000,000 items ÷ 1,000", \
        "layout/query/1000000/ours", "layout/query/1000/ours", 3
    yield "layout, query: 100,000 sections of 10 ÷ 100 sections", \
        "layout/query-sections/100000/ours", "layout/query-sections/100/ours", 3
    yield "layout, one more size measured: 1,000,000 items ÷ 1,000", \
        "layout/measure/1000000/ours", "layout/measure/1000/ours", 5


def target_table(results):
    yield "| what | median | runs | goal | |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for what, name, base, goal in targets():
        ratios = results.ratios(name, base)
        # Code has a size by itself; the machine has no part in it.
        text = size if name.startswith("client/code/") else "{:.3g}".format
        if not ratios:
            yield f"| {what} | – | – | ≤ {text(goal)} | not measured |"
            continue
        ratio = statistics.median(ratios)
        runs = f"{text(ratios[0])} … {text(ratios[-1])}"
        yield f"| {what} | {text(ratio)} | {runs} | ≤ {text(goal)} | {verdict(ratio, goal)} |"
    yield from stall_rows(results)
    yield from screen_rows(results)


def stall_rows(results):
    """Differences, not ratios: what the library adds to what the machine does by itself."""
    control = "stall/control/1000000/ours"
    for kind, what in [("applied", "batches taken"), ("asked", "an item asked for in each batch")]:
        what = f"longest stall of the main actor, 1,000,000 items applied without pause, {what}"
        stall = f"stall/{kind}/1000000/ours"
        added = sorted(
            max(0, run.median(stall) - run.median(control))
            for run in results.runs if {stall, control} <= run.figures.keys())
        if not added:
            yield f"| {what} | – | – | ≤ 4 ms | not measured |"
            continue
        more = statistics.median(added)
        runs = f"{added[0] * 1e3:.1f} … {added[-1] * 1e3:.1f}"
        yield (
            f"| {what} | {more * 1e3:.1f} ms beyond the control | {runs} | ≤ 4 ms "
            f"| {verdict(more, 0.004)} |")


def screen_rows(results):
    """Times and not ratios: a screen is drawn every 8 or 16 ms, on any machine."""
    for what, name, goal in screen_targets():
        found = sorted(run.median(name) * 1e3 for run in results.runs if name in run.figures)
        if not found:
            yield f"| {what} | – | – | ≤ {goal} ms | not measured |"
            continue
        median = statistics.median(found)
        yield (
            f"| {what} | {median:.2g} ms | {found[0]:.2g} … {found[-1]:.2g} | ≤ {goal} ms "
            f"| {verdict(median, goal)} |")


def screen_targets():
    for kind, what, goal in [
            ("move-one", "a row that the view has moved", 4),
            ("rename-many", "10,000 renames", 8),
            ("propose-many", "a place for 10,000 dragged rows", 8),
            ("insert-one", "a row beside 100,000 selected ones", 4),
            ("rename-one", "a rename among 100,000 selected rows", 4),
            ("select-all", "100,000 rows selected", 4)]:
        yield f"time on the main actor: {what}", f"main-actor/{kind}/100000/ours", goal
    for shown, what in [("best", "the best hundred are shown"), ("all", "all that match are shown")]:
        for way in ["typing", "deleting", "replacing"]:
            yield f"a key press in a search of 100,000 titles, {way}, {what}", \
                f"search/{way}/100000/{shown}", 16


def verdict(ratio, goal):
    return "met" if ratio <= goal else f"missed, {ratio / goal:.1f} × the goal"


def time_table(results):
    yield "Medians, and where the middle four fifths of the measurements lie:"
    yield ""
    yield "| benchmark | median | spread |"
    yield "| --- | ---: | ---: |"
    for name in sorted(results.units, key=natural):
        low, high = results.spread(name)
        unit = {"seconds": time, "bytes": size, "times": times}[results.units[name]]
        yield f"| `{name}` | {unit(results.median(name))} | {unit(low)} … {unit(high)} |"


def natural(name):
    return [part.zfill(9) if part.isdigit() else part for part in name.split("/")]


def time(seconds):
    for unit, factor in [("s", 1), ("ms", 1e3), ("µs", 1e6)]:
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def size(count):
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.3g} kB"


def times(ratio):
    return f"{ratio:.3g} ×"


def describe_run():
    """The machine, the compiler and the load, without which no figure means anything."""
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version \S+", swift)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"Measured {datetime.date.today()}: {processor()}, {os.cpu_count()} cores, "
        f"{platform.system()} {platform.machine()}, {version[0] if version else 'Swift'}. "
        f"Load of the machine at the end (1, 5 and 15 minutes): {load}.")


def processor():
    try:
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        return found[1] if found else "unknown processor"
    except OSError:
        return subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"],
            capture_output=True, text=True).stdout.strip() or "unknown processor"


SERIES = [
    # Label, pattern of the names, colour.
    ("update", "update/insert/{}/ours", "#0a7d4f"),
    ("fresh apply", "apply/insert-one/{}/ours", "#1f5fbf"),
    ("textbook (Heckel)", "apply/insert-one/{}/textbook", "#b8860b"),
    ("CollectionDifference", "apply/insert-one/{}/stdlib", "#b03030"),
]
SIZES = [1_000, 10_000, 100_000, 1_000_000]


def plot(results):
    """Time against size for one inserted item, both logarithmic."""
    width, height, left, right, top, bottom = 720, 420, 70, 170, 46, 50
    lines = []
    for label, pattern, colour in SERIES:
        points = [(n, results.median(pattern.format(n))) for n in SIZES]
        lines.append((label, colour, [(n, t) for n, t in points if t]))
    times = [t for _, _, points in lines for _, t in points]
    if not times:
        sys.exit("No one-change figure was measured.")
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def x(n):
        return left + (math.log10(n) - 3) / 3 * (width - left - right)

    def y(exponent):
        return height - bottom - (exponent - low) / (high - low) * (height - top - bottom)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, Helvetica, Arial, sans-serif" font-size="12" fill="#333">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{left}" y="24" font-size="15" font-weight="bold">'
        "One item inserted: time until the change is known</text>",
    ]
    for exponent in range(low, high + 1):
        parts.append(
            f'<path d="M{left} {y(exponent):.1f}H{width - right}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{y(exponent) + 4:.1f}" text-anchor="end">'
            f"{time(10.0 ** exponent)}</text>")
    for n in SIZES:
        parts.append(
            f'<path d="M{x(n):.1f} {top}V{height - bottom}" stroke="#eee"/>'
            f'<text x="{x(n):.1f}" y="{height - bottom + 20}" text-anchor="middle">{n:,}</text>')
    parts.append(
        f'<text x="{(left + width - right) / 2:.1f}" y="{height - 10}" '
        'text-anchor="middle">items (UUID)</text>')
    labels = spread([(y(math.log10(points[-1][1])), label, colour)
                     for label, colour, points in lines if points])
    for label, colour, points in lines:
        coordinates = [(x(n), y(math.log10(t))) for n, t in points]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in coordinates)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>'
                  for a, b in coordinates]
    parts += [f'<text x="{width - right + 12}" y="{place + 4:.1f}" fill="{colour}" '
              f'font-weight="bold">{label}</text>' for place, label, colour in labels]
    return "\n".join([*parts, "</svg>", ""])


def spread(labels, distance=16):
    """Labels from top to bottom, moved apart where they would overlap."""
    placed = []
    for place, label, colour in sorted(labels):
        if placed:
            place = max(place, placed[-1][0] + distance)
        placed.append((place, label, colour))
    return placed


if __name__ == "__main__":
    main()
