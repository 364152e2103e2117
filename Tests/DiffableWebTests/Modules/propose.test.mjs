import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, append, reset, settled, shown } from "./browser.mjs"
import { accept, insert, made, page } from "./editing.mjs"
import { Store } from "../../../Sources/DiffableWeb/Modules/propose.js"

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
  const deltas = []
  for (const [index, target] of ["t2", "t3", "t4"].entries()) {
    assert.equal(JSON.parse(browser.requests[index].body).base, `t${index + 1}`)
    deltas.push(made(browser.requests[index], target, 3 + index))
    accept(browser.requests[index], target, deltas[index])
    await settled()
    assert.equal(shown(edits), "s:3 2 1 a b")
  }
  assert.equal(browser.requests.length, 3)
  assert.equal(edits.edits.length, 0)
  // A late stream changes nothing, and goes on.
  for (const delta of deltas) {
    browser.stream.send("delta", delta)
    assert.equal(shown(edits), "s:3 2 1 a b")
  }
  browser.stream.send("delta", append("t4", "t5", 5, "c"))
  assert.equal(shown(edits), "s:3 2 1 a b c")
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
