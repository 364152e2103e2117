// How a delta changes a list, against plain arrays, and what it costs.
import assert from "node:assert/strict"
import { test } from "node:test"

import { generator } from "./generator.mjs"
import { FollowedList, Misfit } from "../../../Sources/DiffableWeb/Modules/list.js"

const range = (index) => [0, index, index + 1]
const section = (items) => ({ id: "s", items })

function followed(items) {
  const list = new FollowedList()
  list.apply({
    format: 1, target: "t0", counts: { sections: 1, items: items.length }, sections: [section(items)],
  })
  return list
}

/** Some of the numbers below a count, in their order. */
const some = (random, count) => Array.from({ length: count }, (_, index) => index).filter(() => random(3) === 0)

/** A change of a section: what goes, moves and comes, and what it makes of the section. */
function change(random, items, round) {
  const away = some(random, items.length)
  const moving = away.filter(() => random(2) === 0)
  const gone = away.filter((index) => !moving.includes(index))
  const inserted = Array.from({ length: random(4) }, (_, index) => `n${round}.${index}`)
  const result = items.filter((_, index) => !away.includes(index))
  for (const item of [...moving.map((index) => items[index]), ...inserted]) {
    result.splice(random(result.length + 1), 0, item)
  }
  const places = result.flatMap((item, index) => (inserted.includes(item) ? [index] : []))
  const difference = {
    itemDeletes: gone.map(range), itemInserts: places.map(range),
    itemMoves: moving.map((index) => ({
      from: { section: 0, item: index }, to: { section: 0, item: result.indexOf(items[index]) },
    })),
  }
  return { difference, items: places.map((index) => result[index]), result }
}

test("a change leads to what plain arrays have, and says by which difference", () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = generator(seed)
    let items = Array.from({ length: random(12) }, (_, index) => `${index}`)
    const list = followed(items)
    for (let round = 0; round < 5; round += 1) {
      const { difference, items: coming, result } = change(random, items, round)
      const change_ = list.apply({
        format: 1, base: `t${round}`, target: `t${round + 1}`, counts: { sections: 1, items: result.length },
        difference, items: coming,
      })
      assert.deepEqual(list.sections, [section(result)], `seed ${seed}`)
      assert.equal(change_.difference, difference)
      items = result
    }
  }
})

test("a position that is nowhere is refused, and changes nothing", () => {
  const items = ["a", "b", "c", "d"]
  const where = [-1, 0.5, 4, 5, 1e12]
  for (const index of where) {
    const differences = [
      { itemDeletes: [range(index)] }, { itemDeletes: [range(1), range(index)] },
      ...(index === 4 ? [] : [{ itemInserts: [range(index)] }]),
      { itemMoves: [{ from: { section: 0, item: index }, to: { section: 0, item: 0 } }] },
      ...(index === 4 ? [] : [{ itemMoves: [{ from: { section: 0, item: 1 }, to: { section: 0, item: index } }] }]),
    ]
    for (const difference of differences) {
      const list = followed(items)
      const count = 4 + (difference.itemInserts?.length ?? 0) - (difference.itemDeletes?.length ?? 0)
      const delta = {
        format: 1, base: "t0", target: "t1", counts: { sections: 1, items: count }, difference, items: ["x"],
      }
      assert.throws(() => list.apply(delta), Misfit, JSON.stringify(difference))
      assert.deepEqual([list.token, list.sections], ["t0", [section(items)]])
    }
  }
})

test("a section without an array of items is refused, and changes nothing", () => {
  for (const items of ["x", { length: 1, 0: "x" }, 1, true]) {
    const list = followed(["a"])
    for (const base of [undefined, "t0"]) {
      const delta = {
        format: 1, base, target: "t1", counts: { sections: 1 + (base ? 1 : 0), items: 1 + (base ? 1 : 0) },
        sections: [{ id: "t", items }], ...(base && { difference: { sectionInserts: [[1, 2]] } }),
      }
      assert.throws(() => list.apply(delta), Misfit, JSON.stringify(delta))
      assert.deepEqual([list.token, list.sections], ["t0", [section(["a"])]])
    }
  }
})

test("a position that is a text is read as its number, and ends", () => {
  const list = followed(["a", "b", "c", "d"])
  list.apply({
    format: 1, base: "t0", target: "t1", counts: { sections: 1, items: 2 }, difference: { itemDeletes: [[0, "1", "3"]] },
  })
  assert.deepEqual(list.sections, [section(["a", "d"])])
})

test("a section that is half replaced, row by row, is no trouble", () => {
  const items = Array.from({ length: 100_000 }, (_, index) => `${index}`)
  const list = followed(items)
  const every = items.flatMap((_, index) => (index % 2 ? [range(index)] : []))
  const coming = every.map((_, index) => `n${index}`)
  list.apply({
    format: 1, base: "t0", target: "t1", counts: { sections: 1, items: 100_000 },
    difference: { itemDeletes: every, itemInserts: every }, items: coming,
  })
  const expected = items.map((item, index) => (index % 2 ? coming[index >> 1] : item))
  assert.deepEqual(list.sections[0].items, expected)
})

test("a change of a long section looks only at the rows that go and move", () => {
  const items = Array.from({ length: 10_000 }, (_, index) => `${index}`)
  const list = followed(items)
  // What is read one by one is counted; whole runs are copied by the engine.
  let reads = 0
  const { slice } = Array.prototype
  list.sections = [section(new Proxy(items, {
    get(target, name) {
      if (name === "slice") return (...ends) => slice.apply(target, ends)
      if (typeof name === "string" && /^\d+$/.test(name)) reads += 1
      return Reflect.get(target, name)
    },
  }))]
  list.apply({
    format: 1, base: "t0", target: "t1", counts: { sections: 1, items: 10_000 },
    difference: {
      itemDeletes: [range(7)], itemInserts: [range(5_000)],
      itemMoves: [{ from: { section: 0, item: 9_000 }, to: { section: 0, item: 3 } }],
    },
    items: ["x"],
  })
  assert.ok(reads <= 2, `${reads}`)
  assert.deepEqual(list.sections[0].items.slice(0, 9), ["0", "1", "2", "9000", "3", "4", "5", "6", "8"])
})
