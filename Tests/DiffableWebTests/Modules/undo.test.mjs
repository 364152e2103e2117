// What a list with edits takes back.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, settled, shown } from "./browser.mjs"
import { accept, insert, made, page } from "./editing.mjs"
import { Store } from "../../../Sources/DiffableWeb/Modules/propose.js"

test("undo withdraws what was not sent, and reverses what was", async () => {
  const { browser, edits } = page()
  edits.add(insert("c"))
  edits.add(insert("d"))
  assert.equal(edits.undo().item, "d")
  assert.equal(shown(edits), "s:c a b")
  assert.equal(edits.undo().item, "c")
  assert.equal(shown(edits), "s:a b")
  assert.equal(edits.undo(), null)
  accept(browser.request, "t2", made(browser.request, "t2", 3))
  await settled()
  assert.equal(browser.requests.length, 2)
  assert.deepEqual(JSON.parse(browser.request.body).difference, { itemDeletes: [[0, 0, 1]] })
})

/** Sets the title of one item, as others do. */
const retitled = (base, target, id, title) => ({
  format: 1, base, target, counts: { sections: 1, items: 2 }, models: [{ id, title }],
})

/** What leads back to the state in which others have written a title. */
const back = { format: 1, base: "t3", target: "t2", counts: {}, models: [{ id: "a", title: "theirs" }] }

test("undo brings back what others had written when the server made the edit", async () => {
  for (const [edit, title] of [
    [{ item: "a", fields: { title: "mine" } }, (edits) => edits.model("a").title],
    [{ item: "a", deletes: true }, (edits) => edits.model("a").title],
  ]) {
    // The page has heard of it before the edit was sent, or not before the answer.
    for (const isLate of [false, true]) {
      const { browser, edits } = page()
      if (!isLate) browser.stream.cut()
      edits.add(edit)
      const theirs = retitled("t1", "t2", "a", "theirs")
      if (!isLate) {
        browser.stream.readyState = 1
        browser.stream.send("delta", theirs)
        browser.stream.open()
      }
      const { id, base } = JSON.parse(browser.request.body)
      assert.equal(base, isLate ? "t1" : "t2")
      const count = edit.deletes ? 1 : 2
      const delta = { ...made(browser.request, "t3", count), proposals: [id] }
      const reverse = { ...back, ...(edit.deletes && { items: ["a"] }) }
      browser.request.answer(200, { answer: "accepted", token: "t3", delta, ...(isLate && { reverse }) })
      await settled()
      assert.equal(edits.edits.length, 0)
      edits.undo()
      assert.equal(title(edits), "theirs", `${JSON.stringify(edit)}, late: ${isLate}`)
    }
  }
})

test("what somebody else has deleted as well is not brought back by undo", async () => {
  const { browser, edits, refused } = page()
  browser.stream.cut()
  edits.add({ item: "b", fields: { title: "B" } })
  edits.add({ item: "a", deletes: true })
  browser.stream.readyState = 1
  browser.stream.send("delta", {
    format: 1, base: "t1", target: "t2", counts: { sections: 1, items: 0 }, difference: { itemDeletes: [[0, 0, 2]] },
  })
  assert.deepEqual(refused.map(({ edit, code }) => [edit.item, code]), [["b", "gone"]])
  assert.deepEqual([edits.edits.length, edits.canUndo, edits.undo()], [0, false, null])
})

test("undo before the answer to the edit brings back what others had written", async () => {
  for (const edit of [{ item: "a", fields: { title: "mine" } }, { item: "a", deletes: true }]) {
    // The answer comes before the list has the edit, or after that.
    for (const isLate of [false, true]) {
      const { browser, edits } = page()
      edits.add(edit)
      const [first] = browser.requests
      assert.equal(edits.undo().item, "a")
      const delta = made(first, "t3", edit.deletes ? 1 : 2)
      const reverse = { ...back, ...(edit.deletes && { items: ["a"] }) }
      if (isLate) browser.stream.send("delta", delta)
      first.answer(200, { answer: "accepted", token: "t3", delta, reverse })
      await settled()
      assert.equal(edits.model("a").title, "theirs", `${JSON.stringify(edit)}, late: ${isLate}`)
      assert.deepEqual(JSON.parse(browser.request.body).models, [{ id: "a", title: "theirs" }])
    }
  }
})

test("the undo of an edit that is refused then takes back nothing of others", async () => {
  for (const edit of [{ item: "a", fields: { title: "mine" } }, { item: "a", place: { section: "s", after: "b" } }]) {
    const { browser, edits } = page({ ids: ["a", "b", "c"] })
    edits.add(edit)
    edits.undo()
    browser.stream.send("delta", {
      format: 1, base: "t1", target: "t2", counts: { sections: 1, items: 3 }, models: [{ id: "a", title: "theirs" }],
      difference: { itemMoves: [{ from: { section: 0, item: 0 }, to: { section: 0, item: 2 } }] },
    })
    browser.request.answer(200, { answer: "refused", code: "no" })
    await settled()
    assert.deepEqual([shown(edits), edits.model("a").title, browser.requests.length], ["s:b c a", "theirs", 1])
  }
})

test("undo takes back what the server has made of an edit", async () => {
  for (const [fields, theirs] of [
    [{ title: "two  words" }, { title: "two words" }],
    [{ title: "" }, { title: undefined }],
  ]) {
    const { browser, edits } = page()
    edits.add({ item: "a", fields })
    const model = { id: "a", title: "title of a", ...theirs }
    accept(browser.request, "t2", { ...made(browser.request, "t2", 2), models: [model] })
    await settled()
    assert.equal(edits.undo()?.item, "a", JSON.stringify(fields))
    assert.deepEqual(JSON.parse(browser.request.body).models, [{ id: "a", title: "title of a" }])
  }
})

test("undo knows what it has written, in whatever order a server writes fields", async () => {
  for (const [fields, theirs] of [
    [{ size: { width: 1, height: 2 } }, { size: { height: 2, width: 1 } }],
    [{ title: null }, { title: undefined }],
  ]) {
    const { browser, edits } = page()
    edits.add({ item: "a", fields })
    // The stream alone says what has become of it.
    accept(browser.request, "t2")
    await settled()
    const model = { id: "a", title: "title of a", ...theirs }
    browser.stream.send("delta", { ...made(browser.request, "t2", 2), models: [model] })
    assert.equal(edits.undo()?.item, "a", JSON.stringify(fields))
    assert.deepEqual(JSON.parse(browser.request.body).models, [{ id: "a", title: "title of a" }])
  }
})

test("undo brings back what the server has written over with an edit", async () => {
  const { browser, edits } = page()
  edits.add({ item: "a", fields: { title: "mine" } })
  // Others had ticked it and taken its note, and the server merges no fields.
  const reverse = { ...back, models: [{ id: "a", title: "title of a", isDone: true }] }
  const delta = { ...made(browser.request, "t3", 2), models: [{ id: "a", title: "mine", note: "n" }] }
  browser.request.answer(200, { answer: "accepted", token: "t3", delta, reverse })
  await settled()
  edits.undo()
  assert.deepEqual(JSON.parse(browser.request.body).models, [{ id: "a", title: "title of a", isDone: true }])
})

test("what somebody else had deleted before is not brought back by undo", async () => {
  // Before the answer, or after it.
  for (const isEarly of [true, false]) {
    const { browser, edits } = page()
    edits.add({ item: "a", deletes: true })
    if (isEarly) edits.undo()
    const reverse = { format: 1, base: "t3", target: "t2" }
    browser.request.answer(200, { answer: "accepted", token: "t3", delta: made(browser.request, "t3", 1), reverse })
    await settled()
    if (!isEarly) assert.equal(edits.undo(), null)
    assert.deepEqual([shown(edits), edits.edits, browser.requests.length], ["s:b", [], 1])
  }
})

test("undo leaves what others had written in the same words", async () => {
  const { browser, edits } = page()
  edits.add({ item: "a", fields: { title: "ours" } })
  // The edit has changed nothing of the state just before.
  const reverse = { format: 1, base: "t3", target: "t2" }
  browser.request.answer(200, { answer: "accepted", token: "t3", delta: made(browser.request, "t3", 2), reverse })
  await settled()
  assert.equal(edits.undo(), null)
  assert.equal(edits.model("a").title, "ours")
})

test("a field without a value is still one after the page was loaded again", async () => {
  for (const isUndone of [true, false]) {
    const browser = new Browser()
    const store = await Store.open("board")
    const { follower, proposer, edits } = page({ browser, store })
    // In the first case it has none before, in the second one it has none then.
    if (!isUndone) browser.stream.cut()
    edits.add({ item: "a", fields: isUndone ? { note: "a note" } : { title: undefined } })
    for (const one of [proposer, follower, store]) one.close()
    await settled()
    const second = page({ browser, store: await Store.open("board"), ids: null })
    if (isUndone) assert.equal(second.edits.undo().item, "a")
    assert.equal(second.edits.model("a")[isUndone ? "note" : "title"] ?? null, null)
    assert.equal(second.edits.edits.length, isUndone ? 2 : 1)
  }
})
