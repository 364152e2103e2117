#!/usr/bin/env python3
"""Counts the frames of the page with a long list while it changes.

    swift build --package-path Tests/Web --product web
    Tests/Web/frames.py                     100,000 rows, ten batches in a second, for ten seconds
    Tests/Web/frames.py ROWS INTERVAL SECONDS

The rows come from the server, and the batches from the page itself, so that there are as many however busy the server
is. Each is a text that is parsed, applied and drawn like one of a server: in a section that is seen, a row goes, one
comes and one moves, and ten rows change.

It prints the frames in a second without and with batches, how long these are parsed, applied and placed, how long
drawing takes, and what was drawn. What else the machine does counts, too: compare with the frames without
batches. `WEB` names another command, as in pictures.py.
"""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

PROBE = """const [interval, done] = arguments
const times = { parse: [], apply: [], place: [], draw: [] }
const timed = (name, act) => (...values) => {
  const start = performance.now()
  try { return act(...values) } finally { times[name].push(performance.now() - start) }
}
const parse = timed("parse", (text) => JSON.parse(text))
const apply = timed("apply", (delta) => follower.list.apply(delta))
const place = view.follow.bind(view)
view.follow = timed("place", place)
const frame = window.unclocked = window.requestAnimationFrame.bind(window)
window.requestAnimationFrame = (act) => frame(timed("draw", act))
window.probe = { times, tasks: [], work: { ...view.work }, batches: 0 }
new PerformanceObserver((list) => {
  probe.tasks.push(...list.getEntries().map(({ duration }) => duration))
}).observe({ type: "longtask" })
follower.close()
const { list } = follower
// A row in the middle of the screen.
const seen = () => Number([...document.querySelectorAll("[role=option]")][20].dataset.key)
const section = list.sections.findIndex(({ items }) => items.includes(seen()))
const text = () => {
  const { items } = list.sections[section]
  const middle = items.indexOf(seen())
  const id = 10_000_000 + probe.batches
  const changed = items.slice(middle - 5, middle + 5).map((id) => list.model(id))
  const models = changed.map((model) => ({ ...model, count: model.count + 1 }))
  // Of what is above and below the rows that are seen, and of them.
  return JSON.stringify({
    format: 1, base: list.token, target: `p${probe.batches}`,
    counts: { sections: list.sections.length, items: list.count },
    difference: {
      itemDeletes: [[section, 3, 4]], itemInserts: [[section, 8, 9]],
      itemMoves: [{ from: { section, item: middle + 3 }, to: { section, item: middle - 3 } }],
    },
    items: [id], models: [...models, { ...models[0], id, title: `Row ${id}` }],
  })
}
const timer = setInterval(() => {
  const next = text()
  probe.batches += 1
  const change = apply(parse(next))
  follower.dispatchEvent(new CustomEvent("change", { detail: { isAnimated: true, ...change } }))
}, interval * 1000)
window.stop = () => clearInterval(timer)
done(section)"""

COUNT = """const [seconds, done] = arguments
const starts = []
const frame = window.unclocked ?? requestAnimationFrame
const end = performance.now() + seconds * 1000
frame(function count(now) {
  starts.push(now)
  if (performance.now() < end) return frame(count)
  const gaps = starts.slice(1).map((start, index) => start - starts[index])
  done({ frames: gaps.length / ((starts.at(-1) - starts[0]) / 1000), late: gaps.filter((gap) => gap > 25).length,
    longest: Math.max(...gaps) })
})"""


def pictures():
    """The browser and the server of pictures.py."""
    path = str(Path(__file__).resolve().parent / "pictures.py")
    spec = importlib.util.spec_from_loader("pictures", importlib.machinery.SourceFileLoader("pictures", path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def figures(times):
    times = sorted(times)
    if not times:
        return "never"
    return f"{len(times)} times, {times[len(times) // 2]:.2f} ms in the median, {times[-1]:.1f} at most"


def main():
    rows, interval, seconds = (sys.argv[1:] + ["100000", "0.1", "10"][len(sys.argv) - 1:])[:3]
    with pictures().a_page("--rows", rows, "--interval", "3600") as page:
        page.size(1280, 800, False)
        page.show("rows")
        page.wait(f"follower.list.count >= {rows} && document.querySelectorAll('[role=option]').length > 10")
        # Within the list, where rows above it come and go.
        page.run("((scroller) => scroller.scrollTop = scroller.scrollHeight / 2)(document.querySelector('.scroller'))")
        page.run("new Promise((done) => setTimeout(() => done(true), 2000))")
        for name in ["without batches", f"with a batch every {interval} seconds"]:
            if name != "without batches":
                page.post("execute/async", {"script": PROBE, "args": [float(interval)]})
            counted = page.post("execute/async", {"script": COUNT, "args": [float(seconds)]})
            print(f"{name}: {counted['frames']:.1f} frames in a second, {counted['late']} of them late, "
                  f"{counted['longest']:.0f} ms at most")
        page.run("stop()")
        print(f"  {page.run('probe.batches')} batches")
        for name, times in page.run("probe.times").items():
            print(f"  {name}: {figures(times)}")
        work = page.run("Object.keys(probe.work).map((name) => [name, view.work[name] - probe.work[name]])")
        print("  " + ", ".join(f"{count} {name}" for name, count in work))
        print(f"  tasks of more than 50 ms: {page.run('probe.tasks.length')}")


main()
