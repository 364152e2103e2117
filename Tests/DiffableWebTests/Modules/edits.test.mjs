// What a list with edits shows and tells.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, append, settled, shown } from "./browser.mjs"
import { accept, insert, made, page } from "./editing.mjs"
import { generator } from "./generator.mjs"
import { Places } from "../../../Sources/DiffableWeb/Modules/places.js"
import { Store } from "../../../Sources/DiffableWeb/Modules/propose.js"

test("an item without a place is no edit", () => {
  const { edits } = page()
  assert.equal(edits.add({ item: "c", model: { id: "c" } }), false)
  assert.equal(edits.add({ item: "c", model: { id: "c" }, place: { section: "nowhere", after: null } }), false)
  assert.deepEqual([shown(edits), edits.edits, edits.canUndo], ["s:a b", [], false])
})

test("what shows a list with edits hears how others change it, if rows are where the list has them", async () => {
  const { browser, edits } = page()
  const details = []
  edits.addEventListener("change", ({ detail }) => details.push(detail?.difference ?? null))
  browser.stream.send("delta", append("t1", "t2", 2, "c"))
  assert.deepEqual(details.splice(0), [{ itemInserts: [[0, 2, 3]] }])
  // An edit changes something itself, and moves no row.
  edits.add({ item: "a", fields: { title: "A" } })
  assert.ok(details.splice(0).every((detail) => detail === null))
  browser.stream.send("delta", append("t2", "t3", 3, "d"))
  assert.deepEqual(details.splice(0), [{ itemInserts: [[0, 3, 4]] }])
  accept(browser.request, "t4")
  await settled()
  browser.stream.send("delta", { ...append("t3", "t4", 4, "e"), models: [{ id: "a", title: "A" }, { id: "e" }] })
  assert.equal(edits.edits.length, 0)
  assert.deepEqual(details.splice(0).at(-1), { itemInserts: [[0, 4, 5]] })
  edits.add(insert("f"))
  accept(browser.request, "t6", made(browser.request, "t6", 6))
  await settled()
  // What the answer has led to is ahead of the list.
  browser.stream.send("delta", append("t4", "t5", 5, "g", { counts: { sections: 1, items: 6 } }))
  assert.ok(details.splice(0).every((detail) => detail === null))
})

test("what no edit has changed is that of the list, and no copy", () => {
  const { follower, edits } = page()
  const items = () => edits.sections[0].items === follower.list.sections[0].items
  assert.ok(items())
  edits.add({ item: "a", fields: { title: "A" } })
  assert.ok(items())
  edits.add({ item: "a", deletes: true })
  assert.ok(!items())
  assert.equal(shown(follower.list), "s:a b")
})

test("a page that is loaded again takes back what waits", async () => {
  const browser = new Browser()
  const store = await Store.open("board")
  const first = page({ browser, store })
  browser.stream.cut()
  first.edits.add(insert("c"))
  first.edits.add({ item: "a", fields: { title: "A" } })
  first.edits.add({ item: "b", fields: { title: "B" } })
  first.edits.undo()
  first.proposer.close()
  first.follower.close()
  store.close()
  await settled()
  const second = page({ browser, store: await Store.open("board"), ids: null })
  assert.ok(second.edits.canUndo)
  assert.equal(second.edits.undo().item, "a")
  assert.equal(second.edits.model("a").title, "title of a")
  assert.equal(second.edits.undo().item, "c")
  assert.equal(second.edits.undo(), null)
})

test("whatever is edited and heard, what changed of others leads to the rows that are shown", async () => {
  let told = 0
  for (let seed = 0; seed < 200; seed += 1) {
    const random = generator(seed)
    const { browser, edits } = page({ ids: ["a", "b", "c", "d"] })
    const places = new Places({ row: 1, random: () => random(1_000) / 1_000 })
    const shownRows = () => edits.sections.flatMap(({ items }) => items)
    places.show(edits.sections)
    edits.addEventListener("change", ({ detail }) => {
      if (detail?.difference) told += 1
      if (detail?.difference) places.follow(edits.sections, detail.difference)
      else places.show(edits.sections)
      const rows = Array.from({ length: places.count }, (_, number) => places.row(number).id)
      assert.deepEqual(rows, shownRows(), `seed ${seed}`)
    })
    const theirs = ["a", "b", "c", "d"]
    for (let step = 0; step < 20; step += 1) {
      const item = shownRows()[random(shownRows().length)]
      const [base, target] = [`t${step + 1}`, `t${step + 2}`]
      // Somebody inserts or deletes a row, which may be one of those that wait.
      const index = random(theirs.length)
      const isInserted = theirs.length < 3 || random(2) === 0
      theirs.splice(index, isInserted ? 0 : 1, ...(isInserted ? [`n${step}`] : []))
      const difference = { [isInserted ? "itemInserts" : "itemDeletes"]: [[0, index, index + 1]] }
      const act = random(5)
      if (act === 0) edits.add(insert(`own${step}`, item))
      if (act === 1) edits.add({ item, fields: { title: `${step}` } })
      if (act === 2) edits.add({ item, place: { section: "s", after: null } })
      if (act === 3) edits.undo()
      // The list is live only at times, so edits wait.
      if (act === 4) browser.stream.open()
      browser.stream.readyState = 1
      browser.stream.send("delta", {
        format: 1, base, target, counts: { sections: 1, items: theirs.length }, difference,
        ...(isInserted && { items: [`n${step}`], models: [{ id: `n${step}` }] }),
      })
      if (random(2) === 0) browser.stream.cut()
      if (browser.requests.length && random(3) === 0) {
        browser.request.answer(200, { answer: random(2) ? "refused" : "accepted", token: `t${step + 3}` })
        await settled()
      }
    }
  }
  assert.ok(told > 500, `${told}`)
})
