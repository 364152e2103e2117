import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, append, reset, settled, shown } from "./browser.mjs"
import { Follower } from "../../../Sources/DiffableWeb/Modules/follow.js"
import { Proposer, Store } from "../../../Sources/DiffableWeb/Modules/propose.js"

const insert = (id, after = null) => ({ item: id, model: { id, title: id }, place: { section: "s", after } })

/** A page whose list is live. */
function page({ ids = ["a", "b"], browser = new Browser(), store, target = "t1" } = {}) {
  const follower = new Follower("lists/board")
  const proposer = new Proposer(follower)
  const refused = []
  proposer.edits.addEventListener("refused", ({ detail }) => refused.push(detail))
  if (store) proposer.keep(store)
  follower.open()
  browser.stream.open()
  if (ids) browser.stream.send("delta", reset(target, ids))
  return { browser, follower, proposer, edits: proposer.edits, refused }
}

/** Says that a request is accepted, and how to get there, as far as the test knows. */
const accept = (request, token, delta) => request.answer(200, { answer: "accepted", token, delta })

/** The delta that a proposal which was just sent makes of its base. */
function made(request, target, count) {
  const { id, base, difference, items, models } = JSON.parse(request.body)
  return { format: 1, base, target, counts: { sections: 1, items: count }, difference, items, models, proposals: [id] }
}

test("an edit is shown at once, posted once, and stays until the list has it", async () => {
  const { browser, edits } = page()
  edits.add(insert("c", "b"))
  assert.equal(shown(edits), "s:a b c")
  assert.ok(edits.isPending("c"))
  assert.equal(browser.requests.length, 1)
  assert.equal(browser.request.address, "lists/board")
  const proposal = JSON.parse(browser.request.body)
  assert.match(proposal.id, /^[A-Za-z0-9_-]{22}$/)
  assert.deepEqual({ ...proposal, id: "" }, {
    format: 1, id: "", base: "t1", difference: { itemInserts: [[0, 2, 3]] }, items: ["c"],
    models: [{ id: "c", title: "c" }],
  })
  accept(browser.request, "t2")
  await settled()
  assert.ok(edits.isPending("c"))
  assert.equal(browser.requests.length, 1)
  browser.stream.send("delta", append("t1", "t2", 2, "c", { proposals: [proposal.id] }))
  assert.ok(!edits.isPending("c"))
  assert.equal(shown(edits), "s:a b c")
})

test("edits are sent one after another, each on the answer to the one before", async () => {
  const { browser, edits } = page()
  for (const id of ["1", "2", "3"]) edits.add(insert(id))
  assert.equal(browser.requests.length, 1)
  for (const [index, target] of ["t2", "t3", "t4"].entries()) {
    assert.equal(JSON.parse(browser.requests[index].body).base, `t${index + 1}`)
    accept(browser.requests[index], target, made(browser.requests[index], target, 3 + index))
    await settled()
  }
  assert.equal(browser.requests.length, 3)
  assert.equal(edits.edits.length, 0)
  assert.equal(shown(edits), "s:3 2 1 a b")
})

test("without an answer the same text is sent again, after pauses that grow", async () => {
  const { browser, proposer, edits } = page()
  const states = []
  proposer.addEventListener("state", () => states.push(proposer.isFailing))
  edits.add(insert("c"))
  const { body } = browser.request
  for (const pause of [1_000, 2_000, 4_000]) {
    browser.request.fail()
    const count = browser.requests.length
    await browser.clock.advance(pause - 1)
    assert.equal(browser.requests.length, count)
    await browser.clock.advance(1)
    assert.equal(browser.requests.length, count + 1)
    assert.equal(browser.request.body, body)
  }
  accept(browser.request, "t2", made(browser.request, "t2", 3))
  await settled()
  assert.deepEqual(states, [true, false])
  assert.equal(edits.edits.length, 0)
})

test("an answer that does not come is given up after 15 seconds", async () => {
  const { browser, edits } = page()
  edits.add(insert("c"))
  for (let time = 0; time < 16; time += 1) {
    await browser.clock.advance(1_000)
    browser.stream.send("heartbeat")
  }
  assert.equal(browser.requests.length, 2)
  assert.equal(browser.requests[1].body, browser.requests[0].body)
})

test("what is no answer is as good as none", async () => {
  for (const answer of [
    [500, {}], [503, {}], [401, {}], [403, {}], [408, {}], [429, {}], [200, {}], [200, null], [200, "<html>"],
    [200, { answer: "perhaps" }], [200, []],
  ]) {
    const { browser, edits, refused } = page()
    edits.add(insert("c"))
    browser.request.answer(...answer)
    await settled()
    assert.equal(browser.requests.length, 1, "it is not sent again at once")
    assert.equal(refused.length, 0)
    await browser.clock.advance(1_000)
    assert.equal(browser.requests.length, 2, JSON.stringify(answer))
  }
})

test("a refusal takes the edit back, and says why; others stay", async () => {
  for (const [status, value, code] of [
    [200, { answer: "refused", code: "forbidden", reason: "Not yours." }, "forbidden"],
    [413, {}, "413"], [410, {}, "410"],
  ]) {
    const { browser, edits, refused } = page()
    edits.add(insert("c"))
    edits.add({ item: "a", fields: { title: "A" } })
    browser.request.answer(status, value)
    await settled()
    assert.deepEqual(refused.map(({ edit, code }) => [edit.item, code]), [["c", code]])
    assert.equal(shown(edits), "s:a b")
    assert.equal(edits.model("a").title, "A")
    assert.equal(browser.requests.length, 2)
  }
})

test("a server with a new epoch does not know the base: the edit is made again on its state, under its name", async () => {
  const { browser, edits } = page()
  edits.add(insert("c", "b"))
  const { id } = JSON.parse(browser.request.body)
  browser.request.answer(200, { answer: "unknownBase" })
  await settled()
  assert.equal(shown(edits), "s:a b c")
  assert.equal(browser.streams.length, 2)
  browser.stream.open()
  assert.equal(browser.requests.length, 1, "there is no state to make it on yet")
  browser.stream.send("delta", reset("epoch2-1", ["z", "a", "b"]))
  assert.equal(browser.requests.length, 2)
  const proposal = JSON.parse(browser.request.body)
  assert.deepEqual([proposal.id, proposal.base, proposal.difference], [
    id, "epoch2-1", { itemInserts: [[0, 3, 4]] },
  ])
  assert.equal(shown(edits), "s:z a b c")
})

test("a server that never knows the base is not asked all the time", async () => {
  const { browser, edits } = page()
  edits.add(insert("c", "b"))
  for (const [round, pause] of [0, 1_000, 2_000].entries()) {
    browser.request.answer(200, { answer: "unknownBase" })
    await browser.clock.advance(Math.max(0, pause - 1))
    if (pause) {
      assert.equal(browser.streams.length, round + 1)
      await browser.clock.advance(1)
    }
    assert.equal(browser.streams.length, round + 2)
    browser.stream.open()
    browser.stream.send("delta", reset(`t${round + 5}`, ["a", "b"]))
    assert.equal(browser.requests.length, round + 2)
  }
})

test("edits wait while the list is not live, and go out when it is", async () => {
  const { browser, edits } = page()
  browser.stream.cut()
  edits.add(insert("c"))
  edits.add({ item: "c", fields: { title: "C" } })
  await browser.clock.advance(10_000)
  assert.equal(browser.requests.length, 0)
  assert.equal(edits.model("c").title, "C")
  browser.stream.open()
  assert.equal(browser.requests.length, 1)
})

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
const retitled = (base, target, id, title, more = {}) => ({
  format: 1, base, target, counts: { sections: 1, items: 2 }, models: [{ id, title }], ...more,
})

test("undo leaves what others have written since", async () => {
  const { browser, edits } = page()
  edits.add({ item: "b", fields: { title: "B" } })
  accept(browser.request, "t2", made(browser.request, "t2", 2))
  await settled()
  edits.add({ item: "a", fields: { title: "mine", isDone: true } })
  accept(browser.request, "t3", made(browser.request, "t3", 2))
  await settled()
  for (const delta of [made(browser.requests[0], "t2", 2), made(browser.requests[1], "t3", 2)]) browser.stream.send("delta", delta)
  browser.stream.send("delta", {
    ...retitled("t3", "t4", "a", "theirs"), models: [{ id: "a", title: "theirs", isDone: true }],
  })
  assert.equal(edits.undo().item, "a")
  assert.equal(edits.model("a").title, "theirs")
  const { models, undo } = JSON.parse(browser.request.body)
  assert.deepEqual([models, undo], [[{ id: "a", title: "theirs" }], true])
  // What is left of nothing is passed over.
  browser.stream.send("delta", retitled("t4", "t5", "b", "theirs"))
  assert.equal(edits.undo(), null)
})

test("undo brings back what others had written when the server made the edit", async () => {
  for (const [edit, back] of [
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
      const reverse = { format: 1, base: "t3", target: "t2", counts: {}, models: [{ id: "a", title: "theirs" }] }
      browser.request.answer(200, { answer: "accepted", token: "t3", delta, ...(isLate && { reverse }) })
      await settled()
      assert.equal(edits.edits.length, 0)
      edits.undo()
      assert.equal(back(edits), "theirs", `${JSON.stringify(edit)}, late: ${isLate}`)
    }
  }
})

test("an answer that comes after the list has the edit still says what undo brings back", async () => {
  const { browser, edits } = page()
  edits.add({ item: "a", fields: { title: "mine" } })
  browser.stream.send("delta", made(browser.request, "t3", 2))
  assert.equal(edits.edits.length, 0)
  browser.request.answer(200, {
    answer: "accepted", token: "t3", reverse: { format: 1, models: [{ id: "a", title: "theirs" }] },
  })
  await settled()
  edits.undo()
  assert.equal(edits.model("a").title, "theirs")
})

test("an item without a place is no edit", () => {
  const { edits } = page()
  assert.equal(edits.add({ item: "c", model: { id: "c" } }), false)
  assert.equal(edits.add({ item: "c", model: { id: "c" }, place: { section: "nowhere", after: null } }), false)
  assert.deepEqual([shown(edits), edits.edits, edits.canUndo], ["s:a b", [], false])
})

test("what shows a list with edits hears how it changes where no edits are in between", async () => {
  const { browser, edits } = page()
  const details = []
  edits.addEventListener("change", ({ detail }) => details.push(detail?.difference ?? null))
  browser.stream.send("delta", append("t1", "t2", 2, "c"))
  assert.deepEqual(details.splice(0), [{ itemInserts: [[0, 2, 3]] }])
  edits.add({ item: "a", fields: { title: "A" } })
  browser.stream.send("delta", append("t2", "t3", 3, "d"))
  accept(browser.request, "t4")
  await settled()
  browser.stream.send("delta", { format: 1, base: "t3", target: "t4", counts: { sections: 1, items: 4 }, models: [{ id: "a", title: "A" }] })
  assert.ok(details.length > 3)
  assert.ok(details.splice(0).every((detail) => detail === null))
  browser.stream.send("delta", append("t4", "t5", 4, "e"))
  assert.deepEqual(details, [{ itemInserts: [[0, 4, 5]] }])
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

test("an edit of an item that somebody has deleted is refused here; a deletion is done", () => {
  const { browser, edits, refused } = page({ ids: ["a", "b"] })
  browser.stream.cut()
  edits.add({ item: "a", fields: { title: "A" } })
  edits.add({ item: "b", deletes: true })
  browser.stream.open()
  // What was sent has an answer of its own.
  browser.stream.send("delta", {
    format: 1, base: "t1", target: "t2", counts: { sections: 1, items: 0 }, difference: { itemDeletes: [[0, 0, 2]] },
  })
  assert.deepEqual(refused.map(({ code }) => code), [])
  assert.equal(edits.edits.length, 1)
  browser.request.answer(200, { answer: "refused", code: "unknownItem", reason: "It is gone." })
})

test("a page that is loaded again goes on: what was sent is sent again as it was", async () => {
  const browser = new Browser()
  const store = await Store.open("board")
  const first = page({ browser, store })
  first.edits.add(insert("c", "b"))
  first.edits.add({ item: "a", fields: { title: "A" } })
  const { body } = browser.request
  first.proposer.close()
  first.follower.close()
  store.close()
  await settled()

  const second = page({ browser, store: await Store.open("board"), ids: null })
  assert.equal(browser.stream.query.get("after"), "t1")
  assert.equal(shown(second.edits), "s:a b c", "it is there before the server has said anything")
  assert.equal(second.edits.model("a").title, "A")
  assert.equal(second.proposer.isKept, true)
  assert.equal(browser.requests.length, 2)
  assert.equal(browser.request.body, body)
  accept(browser.request, "t2", made(browser.request, "t2", 3))
  await settled()
  assert.equal(browser.requests.length, 3)
  accept(browser.request, "t3")
  await settled()
  browser.stream.send("delta", append("t1", "t2", 2, "c"))
  browser.stream.send("delta", {
    format: 1, base: "t2", target: "t3", counts: { sections: 1, items: 3 }, models: [{ id: "a", title: "A" }],
  })
  assert.equal(localStorage.length, 0, "nothing is left in the store")
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

test("edits are stored when they change, and not with each change of others", async () => {
  const browser = new Browser()
  const { edits } = page({ browser, store: await Store.open("board") })
  browser.stream.cut()
  let count = 0
  const { setItem } = localStorage
  localStorage.setItem = (...values) => {
    count += 1
    return setItem.apply(localStorage, values)
  }
  edits.add(insert("c"))
  assert.equal(count, 1)
  browser.stream.readyState = 1
  for (let index = 1; index < 10; index += 1) {
    browser.stream.send("delta", append(`t${index}`, `t${index + 1}`, index + 1, `n${index}`))
  }
  assert.equal(count, 1)
  assert.equal(shown(edits).length, "s:c a b".length + 9 * 3)
  localStorage.room = 0
  edits.add(insert("d"))
  assert.equal(localStorage.length, 1)
  // There is room again: the next change stores what was not stored.
  localStorage.room = Infinity
  browser.stream.send("delta", append("t10", "t11", 11, "e"))
  assert.equal(JSON.parse(localStorage.getItem(localStorage.key(0))).edits.length, 2)
})

test("a page that goes on with edits whose server began anew shows them when the whole state has come", async () => {
  const browser = new Browser()
  const store = await Store.open("board")
  const first = page({ browser, store })
  browser.stream.cut()
  first.edits.add(insert("c", "b"))
  first.proposer.close()
  first.follower.close()
  store.close()
  await settled()
  const second = page({ browser, store: await Store.open("board"), ids: ["b", "a"], target: "epoch2-1" })
  assert.equal(shown(second.edits), "s:b c a")
  assert.equal(JSON.parse(browser.request.body).base, "t1", "it was sent with the state that was stored")
  browser.request.answer(200, { answer: "unknownBase" })
  await settled()
  browser.stream.open()
  browser.stream.send("delta", reset("epoch2-1", ["b", "a"]))
  assert.equal(JSON.parse(browser.request.body).base, "epoch2-1")
})

test("what another version has stored does not keep the page from starting", async () => {
  for (const stored of [
    "no JSON", "null", "7", "{}", '{"edits":7}', '{"edits":[null]}', '{"edits":[{}],"state":{}}',
    JSON.stringify({ edits: [{ ...insert("c"), id: "i" }], state: { ...reset("t", []), format: 99 } }),
    JSON.stringify({ edits: [{ ...insert("c"), id: "i" }], state: { target: "t" } }),
  ]) {
    const browser = new Browser()
    localStorage.setItem("board/x", stored)
    const store = await Store.open("board")
    const { edits } = page({ browser, store })
    assert.equal(shown(edits), stored.includes('"c"') ? "s:c a b" : "s:a b", stored)
  }
})

test("a proposer that is closed sends, stores and hears nothing more", async () => {
  const { browser, proposer, edits } = page()
  edits.add(insert("c"))
  edits.add(insert("d"))
  proposer.close()
  browser.request.fail()
  await browser.clock.advance(1_000)
  dispatchEvent(new Event("online"))
  browser.stream.cut()
  browser.stream.open()
  await settled()
  assert.equal(browser.requests.length, 1)
})

test("the network is back: what waits goes out without waiting for its pause", async () => {
  const { browser, edits } = page()
  edits.add(insert("c"))
  browser.request.fail()
  await settled()
  dispatchEvent(new Event("online"))
  assert.equal(browser.requests.length, 2)
})
