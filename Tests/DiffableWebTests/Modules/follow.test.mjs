import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, append, reset, settled, shown } from "./browser.mjs"
import { Follower, Pauses } from "../../../Sources/DiffableWeb/Modules/follow.js"

/** A follower that is live, with two rows. */
function live(ids = ["a", "b"]) {
  const browser = new Browser()
  const follower = new Follower("lists/rows")
  follower.open()
  browser.stream.open()
  browser.stream.send("delta", reset("t1", ids))
  return { browser, follower }
}

test("a list is there with its first delta, and follows", async () => {
  const { browser, follower } = live()
  const changes = []
  follower.addEventListener("change", ({ detail }) => changes.push(detail))
  assert.equal(follower.state, "live")
  browser.stream.send("delta", append("t1", "t2", 2, "c"))
  browser.stream.send("delta", append("t2", "t3", 3, "d", { presentation: "immediate" }))
  assert.equal(shown(follower.list), "s:a b c d")
  assert.deepEqual(changes.map(({ isAnimated, isReset }) => [isAnimated, isReset]), [[true, false], [false, false]])
  assert.deepEqual([...changes[0].inserted], ["c"])
  assert.equal(follower.list.model("c").title, "title of c")
})

test("the address has the state that is held, a name of the page, and what its own query says", () => {
  const browser = new Browser()
  const follower = new Follower("lists/rows?of=me")
  follower.open()
  const [path, page] = [browser.stream.address, browser.stream.query.get("page")]
  assert.ok(path.startsWith("lists/rows?of=me&"), path)
  // Servers may be strict about names.
  assert.match(page, /^[A-Za-z0-9-]{22}$/)
  assert.equal(browser.stream.query.get("after"), null)
  browser.stream.open()
  browser.stream.send("delta", reset("t+1/=", ["a"]))
  follower.open()
  assert.equal(browser.stream.query.get("after"), "t+1/=")
  assert.equal(browser.stream.query.get("page"), page)
})

test("a search that is cut in the middle of a letter is sent all the same", () => {
  const { browser, follower } = live()
  follower.search("x".repeat(99) + "😀")
  assert.equal(browser.streams.length, 2)
  assert.equal(browser.stream.query.get("search"), "x".repeat(99) + "\ufffd")
})

test("a server that is silent for three heartbeats is left, one that speaks is not", async () => {
  const { browser, follower } = live()
  const first = browser.stream
  for (let round = 0; round < 10; round += 1) {
    await browser.clock.advance(44_000)
    first.send("heartbeat")
  }
  assert.equal(browser.streams.length, 1)
  assert.equal(follower.heartbeats, 10)
  await browser.clock.advance(44_999)
  assert.equal(follower.state, "live")
  await browser.clock.advance(1)
  assert.equal(follower.state, "waiting")
  assert.equal(first.readyState, EventSource.CLOSED)
  await browser.clock.advance(1_000)
  assert.equal(browser.streams.length, 2)
  assert.equal(browser.stream.query.get("after"), "t1")
})

test("a connection that never opens is left, too, after pauses that grow up to a limit", async () => {
  const browser = new Browser()
  const follower = new Follower("lists/rows", new Pauses(1_000, 4_000))
  follower.open()
  const times = []
  for (const pause of [1_000, 2_000, 4_000, 4_000]) {
    await browser.clock.advance(follower.patience)
    const count = browser.streams.length
    await browser.clock.advance(pause - 1)
    assert.equal(browser.streams.length, count)
    await browser.clock.advance(1)
    times.push(browser.streams.length - count)
  }
  assert.deepEqual(times, [1, 1, 1, 1])
  assert.equal(follower.state, "waiting")
  browser.stream.open()
  browser.stream.send("heartbeat")
  assert.equal(follower.state, "live")
  browser.stream.fail()
  await settled()
  browser.request.fail()
  await browser.clock.advance(1_000)
  assert.equal(browser.streams.length, 6, "the pauses begin again")
})

test("the end of a response is no end: the same stream goes on, and nothing comes again", async () => {
  const { browser, follower } = live()
  for (let life = 0; life < 3; life += 1) {
    browser.stream.cut()
    assert.equal(follower.state, "waiting")
    browser.stream.open()
    assert.equal(follower.state, "live")
    browser.stream.send("delta", append(`t${life + 1}`, `t${life + 2}`, life + 2, `n${life}`))
  }
  assert.equal(browser.streams.length, 1)
  assert.equal(follower.connections, 4)
  assert.equal(follower.resets, 1)
  assert.equal(shown(follower.list), "s:a b n0 n1 n2")
})

test("a server that was started again sends the whole state, and the list goes on from there", () => {
  const { browser, follower } = live()
  let last
  follower.addEventListener("change", ({ detail }) => { last = detail })
  browser.stream.cut()
  browser.stream.open()
  browser.stream.send("delta", reset("epoch2-1", ["b", "c"]))
  assert.equal(follower.resets, 2)
  assert.equal(last.isReset, true)
  assert.equal(last.isAnimated, false)
  assert.equal(shown(follower.list), "s:b c")
  assert.equal(follower.list.model("a"), undefined)
  browser.stream.send("delta", append("epoch2-1", "epoch2-2", 2, "d"))
  assert.equal(shown(follower.list), "s:b c d")
})

test("a delta that does not fit is answered by asking for the whole state, and what is shown stays", async () => {
  const { browser, follower } = live()
  browser.stream.send("delta", append("other", "t2", 2, "c"))
  assert.equal(browser.streams.length, 2)
  assert.equal(browser.stream.query.get("after"), null)
  assert.equal(shown(follower.list), "s:a b")
  assert.equal(browser.warnings.length, 1)
  browser.stream.open()
  browser.stream.send("delta", reset("t2", ["a", "b", "c"]))
  assert.equal(shown(follower.list), "s:a b c")
})

test("a server whose deltas never fit is not asked all the time", async () => {
  const { browser } = live()
  browser.stream.send("delta", "no JSON")
  for (const pause of [1_000, 2_000, 4_000]) {
    const count = browser.streams.length
    browser.stream.open()
    // A whole state fits, and what follows does not: its pauses grow all the same.
    browser.stream.send("delta", reset("t2", ["a"]))
    browser.stream.send("delta", append("t7", "t8", 1, "c"))
    await browser.clock.advance(pause - 1)
    assert.equal(browser.streams.length, count, `after ${pause}`)
    await browser.clock.advance(1)
    assert.equal(browser.streams.length, count + 1, `after ${pause}`)
  }
  // Once it works for as long as from one heartbeat to the next, it is trusted again.
  browser.stream.open()
  browser.stream.send("delta", reset("t9", ["a"]))
  browser.stream.send("heartbeat")
  browser.stream.send("delta", "no JSON")
  assert.equal(browser.stream.query.get("after"), null)
  assert.equal(browser.stream.readyState, EventSource.CONNECTING)
})

test("what the server answers instead of a stream is what the state says", async () => {
  for (const [status, state, isTried] of [
    [204, "ended", false], [401, "refused", false], [403, "refused", false], [503, "full", true],
    [500, "waiting", true], [404, "waiting", true],
  ]) {
    const { browser, follower } = live()
    browser.stream.fail()
    assert.equal(browser.request.method, "HEAD")
    browser.request.answer(status)
    await settled()
    assert.equal(follower.state, state, `${status}`)
    await browser.clock.advance(120_000)
    assert.equal(browser.streams.length > 1, isTried, `${status}`)
    follower.close()
    assert.ok(browser.clock.isIdle, "a follower that is closed waits for nothing")
  }
})

test("a question after a failure that never has an answer holds nothing up", async () => {
  const { browser, follower } = live()
  browser.stream.fail()
  await browser.clock.advance(follower.patience + 1_000)
  assert.equal(browser.streams.length, 2)
  browser.stream.open()
  // The answer comes after all.
  browser.requests[0].answer(204)
  await settled()
  assert.equal(follower.state, "live")
})

test("a list that has ended is not followed any longer", async () => {
  const { browser, follower } = live()
  browser.stream.send("end")
  assert.equal(follower.state, "ended")
  await browser.clock.advance(600_000)
  assert.equal(browser.streams.length, 1)
  assert.equal(shown(follower.list), "s:a b")
})

test("one search is sent after the other, and the newest one comes last", () => {
  const { browser, follower } = live()
  follower.search("one")
  follower.search("two")
  follower.search(" three ")
  assert.deepEqual(browser.streams.map(({ query }) => query.get("search")), [null, "one"])
  browser.stream.open()
  assert.equal(browser.stream.query.get("search"), "three")
  browser.stream.open()
  assert.equal(follower.asked, "three")
  assert.equal(browser.streams.length, 3)
  assert.equal(browser.streams.filter(({ readyState }) => readyState !== EventSource.CLOSED).length, 1)
})

test("a clock that jumps changes nothing", async () => {
  const { browser, follower } = live()
  const [now, performanceNow] = [Date.now, performance.now]
  try {
    for (const jump of [365 * 86_400_000, -365 * 86_400_000]) {
      Date.now = () => now() + jump
      performance.now = () => performanceNow.call(performance) + jump
      await browser.clock.advance(30_000)
      browser.stream.send("heartbeat")
      assert.equal(follower.state, "live")
      assert.equal(browser.streams.length, 1)
    }
    await browser.clock.advance(45_000)
    assert.equal(follower.state, "waiting")
  } finally {
    ;[Date.now, performance.now] = [now, performanceNow]
  }
})

test("a page that has slept finds a timer due, and connects again", async () => {
  const { browser } = live()
  // All timers are late by hours, and come at once.
  browser.clock.now += 8 * 3_600_000
  await browser.clock.advance(0)
  await browser.clock.advance(1_000)
  assert.equal(browser.streams.length, 2)
  assert.equal(browser.stream.query.get("after"), "t1")
})
