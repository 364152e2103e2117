// A long list in Chromium, with the style that the documentation shows: how often it draws, and where its rows are.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { after, before, test } from "node:test"

import { Chromium, options } from "./chromium.mjs"

const modules = new URL("../../../Sources/DiffableWeb/Modules/", import.meta.url)
const article = readFileSync(new URL("../DiffableWeb.docc/LongLists.md", modules), "utf8")
const [, style] = article.match(/```css\n([^]*?)```/)
const page = `<!doctype html><style>
  ${style}
  #rows { height: 400px; width: 300px; line-height: 20px }
</style><div id="rows"></div><script type="module">
  import { FollowedList } from "./list.js"
  import { LongList } from "./rows.js"
  const list = new FollowedList()
  const [scroller, leaving] = [document.getElementById("rows"), []]
  const rows = new LongList(scroller, {
    label: "Rows", rowHeight: () => 28, model: (id) => list.model(id),
    fill: (row, { title }) => { row.textContent = title },
    motion: { offset: () => 0, slide() {}, appear() {}, vanish: (row) => leaving.push(row) },
  })
  const ids = Array.from({ length: 1000 }, (_, index) => "r" + index)
  const apply = (delta) => {
    const change = list.apply({ format: 1, ...delta })
    rows.follow(list.sections, change)
  }
  /** The same, and nobody says what it has changed, as after an edit. */
  const anew = (delta) => {
    list.apply({ format: 1, ...delta })
    rows.follow(list.sections)
  }
  apply({
    target: "t0", counts: { sections: 1, items: 1000 }, sections: [{ id: "s", items: ids }],
    models: ids.map((id) => ({ id, title: id })),
  })
  /** Makes a change; returns how often it was drawn, and what is seen first and where. */
  const act = async (change, frames = 6) => {
    const { draws } = rows.work
    change(list.sections[0].items)
    for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame)
    const seen = [...document.querySelectorAll(".row")]
      .map((row) => [row.dataset.key, row.getBoundingClientRect().top - scroller.getBoundingClientRect().top])
      .filter(([, top]) => top >= 0).sort(([, one], [, other]) => one - other)
    return { draws: rows.work.draws - draws, seen }
  }
  Object.assign(globalThis, { act, anew, apply, leaving, list, rows, scroller })
</script>`

const server = createServer(({ url }, response) => {
  if (url === "/favicon.ico") return response.writeHead(404).end()
  response.setHeader("Content-Type", url === "/" ? "text/html" : "text/javascript")
  response.end(url === "/" ? page : readFileSync(new URL(`.${url}`, modules)))
})
const chromium = new Chromium()
const act = (change) => chromium.wait(`const [done] = arguments; act(${change}).then(done)`)
let count = 0
/** A change of the only section, as a server says it. */
const delta = (items, difference, coming, models) => {
  count += 1
  const fields = { base: `t${count - 1}`, target: `t${count}`, counts: { sections: 1, items }, difference, items: coming, models }
  return `() => apply(${JSON.stringify(fields)})`
}

before(async () => {
  if (options.skip) return
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  await chromium.start()
})

after(async () => {
  await chromium.end()
  server.closeAllConnections()
  server.close()
})

test("a change is drawn once, and what is seen stays where it is", options, async () => {
  await chromium.open(`http://127.0.0.1:${server.address().port}/`)
  const start = await act("() => { scroller.scrollTop = 10_000 }")
  assert.ok(start.seen.length > 15)
  const [[first, top]] = start.seen
  const number = Number(first.slice(1))
  const range = (index) => [0, index, index + 1]
  const model = (id, title = id) => [{ id, title }]
  for (const [what, change] of [
    ["a row comes that is seen", delta(1001, { itemInserts: [range(number + 3)] }, ["a"], model("a"))],
    ["a row comes above what is seen", delta(1002, { itemInserts: [range(5)] }, ["b"], model("b"))],
    ["a row goes above what is seen", delta(1001, { itemDeletes: [range(5)] })],
    ["a row goes that is seen", delta(1000, { itemDeletes: [range(number + 3)] })],
    ["a row gets two lines", delta(1000, {}, [], model(`r${number + 2}`, "two lines ".repeat(6)))],
    ["a row moves", delta(1000, { itemMoves: [{ from: { section: 0, item: number + 9 }, to: { section: 0, item: 0 } }] })],
    ["a row comes, from scratch", delta(1001, { itemInserts: [range(5)] }, ["c"], model("c")).replace("apply", "anew")],
    ["a row goes, from scratch", delta(1000, { itemDeletes: [range(5)] }).replace("apply", "anew")],
  ]) {
    const { draws, seen } = await act(change)
    assert.equal(draws, 1, what)
    assert.deepEqual(seen[0], [first, top], what)
  }
})

test("a row that gets another height by itself is seen to", options, async () => {
  const { seen: [, [id, top], [, next]] } = await act("() => {}")
  const { draws, seen } = await act(`() => { document.querySelector("[data-key=${id}]").style.height = "55px" }`)
  assert.deepEqual(seen.slice(1, 3).map(([, top]) => top), [top, top + 55])
  assert.ok(next < top + 55)
  assert.equal(draws, 1)
})

test("a list that was not shown is drawn when it is", options, async () => {
  await act("() => { scroller.style.display = 'none' }")
  await act(delta(999, { itemDeletes: [[0, 0, 1]] }))
  const { seen } = await act("() => { scroller.style.display = '' }")
  assert.ok(seen.length > 15)
  assert.equal(await chromium.value('document.querySelector(".row").ariaSetSize'), "999")
})

test("a name of a row that has gone is that of the row which gets it, and the focus stays where it was", options, async () => {
  await chromium.open(`http://127.0.0.1:${server.address().port}/`)
  await act("() => {}")
  const { seen } = await act(`() => {
    document.querySelector("[data-key=r3]").focus()
    apply({
      base: "t0", target: "t1", counts: { sections: 1, items: 999 },
      difference: { itemDeletes: [[0, 3, 4]], itemRenames: [[0, 5, 6]] },
      renamedItems: [{ old: "r6", new: "r3" }], models: [{ id: "r3", title: "once r6" }],
    })
  }`)
  assert.deepEqual(seen.slice(0, 7).map(([key]) => key), ["r0", "r1", "r2", "r4", "r5", "r3", "r7"])
  const texts = '[...document.querySelectorAll("[data-key=r3]")].map((row) => row.textContent)'
  assert.deepEqual(await chromium.value(texts), ["once r6"])
  assert.equal(await chromium.value("document.activeElement.dataset.key"), "r4")
})

test("a row that leaves in its own time is no row any longer", options, async () => {
  await chromium.open(`http://127.0.0.1:${server.address().port}/`)
  await act("() => {}")
  await act(`() => {
    const change = list.apply({
      format: 1, base: "t0", target: "t1", counts: { sections: 1, items: 999 }, difference: { itemDeletes: [[0, 3, 4]] },
    })
    rows.follow(list.sections, { ...change, isAnimated: true })
  }`)
  const left = `leaving.map((row) =>
    [row.textContent, row.isConnected, ...["data-key", "role", "tabindex"].map((name) => row.hasAttribute(name))])`
  assert.deepEqual(await chromium.value(left), [["r3", true, false, false, false]])
})

/** What is wrong with the rows that are elements; nothing if they are where they belong. */
const faults = `() => {
  const { items } = list.sections[0]
  const shown = [...document.querySelectorAll(".row")].map((row) => ({
    number: row.ariaPosInSet - 1, key: row.dataset.key, text: row.textContent,
    top: row.offsetTop, end: row.offsetTop + row.offsetHeight,
  }))
  const isSeen = ({ top, end }) => end > scroller.scrollTop && top < scroller.scrollTop + scroller.clientHeight
  const seen = shown.filter(isSeen)
  const found = shown.filter(({ number, key, text }) => items[number] !== key || list.model(key).title !== text)
  for (const [index, row] of shown.entries()) {
    const next = shown[index + 1]
    if (next && (next.number <= row.number || (next.number === row.number + 1 && next.top !== row.end))) found.push([row, next])
  }
  const [first, last] = [seen[0], seen.at(-1)]
  if (items.length && (!first || (first.top > scroller.scrollTop && first.number > 0))) found.push(["above", first])
  const end = scroller.scrollTop + scroller.clientHeight
  if (items.length && (!last || (last.end < end && last.number < items.length - 1))) found.push(["below", last])
  return found
}`

test("whatever happens, all rows that can be seen are there, one after another", options, async () => {
  await chromium.open(`http://127.0.0.1:${server.address().port}/`)
  const [seed, steps] = [Number(process.env.DIFFABLE_SEED ?? 0), 60]
  const found = await chromium.wait(`const [seed, steps, done] = arguments
    ;(async () => {
      ${readFileSync(new URL("generator.mjs", import.meta.url), "utf8").replace("export ", "")}
      const faults = ${faults}
      const random = generator(seed)
      const title = (id) => (id + " ").repeat(1 + random(3) * 20)
      for (let step = 0; step < steps; step += 1) {
        for (let count = random(4); count > 0; count -= 1) {
          const { items } = list.sections[0]
          const number = () => Math.min(items.length - 1,
            random(2) ? random(items.length) : Number(document.querySelector(".row").ariaPosInSet) - 1 + random(40))
          const [index, id, range] = [number(), "n" + step + "." + count, (index) => [0, index, index + 1]]
          const [difference, coming, models, change, renamedItems] = [
            () => [{ itemInserts: [range(index)] }, [id], [{ id, title: title(id) }], 1],
            () => [{ itemDeletes: [range(index)] }, [], [], -1],
            () => [{ itemMoves: [{ from: { section: 0, item: index }, to: { section: 0, item: number() } }] }, [], [], 0],
            () => [{}, [], [{ id: items[index], title: title(items[index]) }], 0],
            () => {
              // A row gets the name of one that goes.
              const [other, model] = [number(), { id: items[index], title: title(items[index]) }]
              if (other === index) return [{}, [], [model], 0]
              const itemRenames = [range(other < index ? other : other - 1)]
              return [{ itemDeletes: [range(index)], itemRenames }, [], [model], -1, [{ old: items[other], new: model.id }]]
            },
          ][random(5)]()
          apply({
            base: list.token, target: "s" + step + "." + count, difference, items: coming, models, renamedItems,
            counts: { sections: 1, items: items.length + change },
          })
        }
        const act = random(6)
        if (act === 0) scroller.scrollTop = random(scroller.scrollHeight)
        if (act === 1) scroller.scrollTop += random(200) - 100
        if (act === 2) scroller.style.width = 150 + random(200) + "px"
        if (act === 3) scroller.style.height = 100 + random(400) + "px"
        const row = document.querySelectorAll(".row")[random(10)]
        if (act === 4 && row) row.style.paddingTop = random(30) + "px"
        if (act === 5) row?.focus({ preventScroll: random(2) === 0 })
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
        const found = faults()
        if (found.length) return [step, act, found]
      }
      return []
    })().then(done, (error) => done([String(error), error.stack]))`, seed, steps)
  assert.deepEqual(found, [], `seed ${seed}`)
})
