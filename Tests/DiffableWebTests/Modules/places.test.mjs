// Laws of `places.js`, against plain arrays.

import assert from "node:assert/strict"
import { test } from "node:test"

const folder = new URL("../../../Sources/DiffableWeb/Modules/", import.meta.url)
const { FollowedList } = await import(new URL("list.js", folder))
const { Places } = await import(new URL("places.js", folder))
const { at, before, built, cut, Entry, joined, without } = await import(new URL("order.js", folder))

const seedOfAll = Number(process.env.DIFFABLE_SEED ?? 0)
const isLong = process.env.DIFFABLE_TESTS === "long"

/** Numbers from a seed: at least 0 and less than 1. */
const numbersFrom = (seed) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

/** Sections of a list, and random changes of them, as deltas. */
class Model {
  sections = []
  #next = 0
  #token = 0

  constructor(random) { this.random = random }

  any(end) { return Math.floor(this.random() * end) }

  newRows(count) { return Array.from({ length: count }, () => this.#next++) }

  whole(sections) {
    this.sections = sections
    const items = sections.reduce((sum, section) => sum + section.items.length, 0)
    return { format: 1, target: `${++this.#token}`, counts: { sections: sections.length, items }, sections }
  }

  /** A change to these sections, and the delta that leads there; a row or a section that moves is marked. */
  change() {
    const old = this.sections
    const [sectionDeletes, itemDeletes, sectionMoves, itemMoves, movedRows] = [[], [], [], [], []]
    let sections = old.map(({ id, items }, from) => ({ id, from, items: items.map((id, item) => ({ id, from: [from, item] })) }))
    // Sections go, and what is in them goes too.
    if (sections.length > 1 && this.any(6) === 0) {
      const [{ from }] = sections.splice(this.any(sections.length), 1)
      sectionDeletes.push([from, from + 1])
    }
    // Rows go; a run of them at times.
    for (let times = this.any(4); times > 0; times -= 1) {
      const { items } = sections[this.any(sections.length)]
      const count = Math.min(items.length, 1 + this.any(4))
      const first = this.any(items.length - count + 1)
      for (const { from: [section, item] } of items.splice(first, count)) itemDeletes.push([section, item, item + 1])
    }
    // Sections and rows are taken out, and put elsewhere, so that those that stay keep their order.
    const movedSections = sections.length > 1 && this.any(6) === 0 ? sections.splice(this.any(sections.length), 1) : []
    for (let times = this.any(4); times > 0; times -= 1) {
      const all = [...sections, ...movedSections]
      const { items } = all[this.any(all.length)]
      if (items.length) movedRows.push(...items.splice(this.any(items.length), 1))
    }
    for (const section of movedSections) sections.splice(this.any(sections.length + 1), 0, section)
    if (this.any(6) === 0) {
      const section = { id: `s${this.#next++}`, items: this.newRows(this.any(5)).map((id) => ({ id })) }
      sections.splice(this.any(sections.length + 1), 0, section)
    }
    const put = (row) => {
      const { items } = sections[this.any(sections.length)]
      items.splice(this.any(items.length + 1), 0, row)
    }
    movedRows.forEach(put)
    for (let times = this.any(5); times > 0; times -= 1) this.newRows(1).forEach((id) => put({ id }))

    const [sectionInserts, itemInserts, items, itemRenames, renamedItems] = [[], [], [], [], []]
    for (const [to, section] of sections.entries()) {
      if (section.from === undefined) sectionInserts.push([to, to + 1])
      if (movedSections.includes(section)) sectionMoves.push({ from: section.from, to })
      for (const [index, row] of section.items.entries()) {
        if (movedRows.includes(row)) {
          const [from, item] = row.from
          itemMoves.push({ from: { section: from, item }, to: { section: to, item: index } })
        } else if (!row.from && section.from !== undefined) {
          itemInserts.push([to, index, index + 1])
          items.push(row.id)
        } else if (row.from && this.any(40) === 0) {
          const [renamed] = this.newRows(1)
          itemRenames.push([to, index, index + 1])
          renamedItems.push({ old: row.id, new: renamed })
          row.id = renamed
        }
      }
    }
    const base = `${this.#token}`
    const made = sections.map(({ id, items }) => ({ id, items: items.map(({ id }) => id) }))
    const delta = {
      ...this.whole(made), base, items, renamedItems,
      sections: sectionInserts.map(([to]) => made[to]),
      difference: {
        sectionDeletes, sectionInserts, sectionMoves, itemDeletes, itemInserts, itemMoves, itemRenames,
      },
    }
    const moved = new Set(movedRows.map(({ id }) => String(id)))
    return { delta, moved, renames: new Map(renamedItems.map((rename) => [rename.old, rename.new])) }
  }
}

/** All places, worked out one after another. */
function naive(sections, heights, heading, row) {
  const [rows, headings] = [[], []]
  let top = 0
  for (const { id, items } of sections) {
    const section = { id, index: headings.length, first: rows.length, count: items.length, top }
    headings.push(section)
    top += heading
    for (const item of items) {
      const height = heights.get(item) ?? row
      rows.push({ id: item, key: String(item), number: rows.length, top, height, isMeasured: heights.has(item) })
      top += height
    }
    section.height = top - section.top
  }
  return { rows, headings, height: top }
}

/** The index of the first of the numbers that ascend, as many as can be: all are compared with all. */
function firstAscending(numbers) {
  const counts = []
  for (const [index, number] of [...numbers.entries()].reverse()) {
    counts[index] = 1 + Math.max(0, ...counts.slice(index + 1).filter((_, next) => numbers[index + 1 + next] > number))
  }
  return counts.indexOf(Math.max(...counts))
}

function check(places, sections, heights, { heading, row }, random) {
  const { rows, headings, height } = naive(sections, heights, heading, row)
  assert.equal(places.count, rows.length)
  assert.equal(places.height, height)
  assert.equal(places.sectionCount, headings.length)
  for (const row of rows) {
    assert.deepEqual(places.row(row.number), row)
    assert.equal(places.numberOf(row.key), row.number)
    assert.deepEqual(places.place(row.key), { top: row.top, height: row.height })
  }
  for (const section of headings) {
    assert.deepEqual(places.section(section.index), section)
    for (let number = section.first; number < section.first + section.count; number += 1) {
      assert.equal(places.sectionOf(number), section.index)
    }
  }
  for (const top of [-1, 0, height - 1, height, ...Array.from({ length: 12 }, () => random() * height)]) {
    const first = rows.findIndex((row) => row.top + row.height > top)
    assert.equal(places.number(top), Math.max(0, first < 0 ? rows.length - 1 : first), `at ${top}`)
  }
}

test("random changes, scrolls and heights lead to the places that plain arrays have", () => {
  for (let seed = seedOfAll; seed < seedOfAll + (isLong ? 3_000 : 150); seed += 1) {
    const random = numbersFrom(seed * 7919 + 1)
    const model = new Model(random)
    const metrics = { heading: model.any(2) * 20, row: 10 + model.any(20) }
    const places = new Places({ ...metrics, random })
    const [list, heights] = [new FollowedList(), new Map()]
    const sections = Array.from({ length: 1 + model.any(3) }, (_, index) => ({ id: index, items: model.newRows(model.any(8)) }))
    list.apply(model.whole(sections))
    places.show(list.sections)
    try {
      for (let step = 0; step < 25; step += 1) {
        check(places, list.sections, heights, metrics, random)
        const clientHeight = 20 + model.any(120)
        const scrollTop = Math.floor(random() * Math.max(0, places.height - clientHeight + 1))
        const old = naive(list.sections, heights, metrics.heading, metrics.row)
        const hold = places.hold(scrollTop, clientHeight)
        let [moved, renames] = [new Set(), new Map()]
        if (model.any(3) === 0) {
          // Some rows are seen, and are as high as nobody knew.
          const some = old.rows.filter(() => model.any(3) === 0).map(({ id }) => [id, 5 + model.any(40)])
          for (const [id, height] of some) heights.set(id, height)
          const before = places.height
          places.measure(some.map(([id, height]) => [String(id), height]))
          places.measure([["nothing", 7]])
          assert.equal(places.height - before, naive(list.sections, heights, metrics.heading, metrics.row).height - old.height)
        } else {
          const change = model.change()
          list.apply(change.delta)
          // From scratch, nobody says what has moved, and a row with another name is another row.
          const isFollowed = model.any(3) > 0
          if (isFollowed) places.follow(list.sections, change.delta.difference)
          else places.show(list.sections)
          if (isFollowed) ({ moved, renames } = change)
          for (const [from, to] of change.renames) {
            if (isFollowed && heights.has(from)) heights.set(to, heights.get(from))
            heights.delete(from)
          }
          const left = new Set(list.sections.flatMap(({ items }) => items))
          for (const id of heights.keys()) if (!left.has(id)) heights.delete(id)
        }
        // The first row that was seen and has stayed is where it was, as far as the list is long enough.
        const { rows, height } = naive(list.sections, heights, metrics.heading, metrics.row)
        const first = old.rows.findIndex(({ top, height }) => top + height > scrollTop)
        const seen = (first < 0 ? old.rows.slice(-1) : old.rows).filter(({ number }) => number >= first)
          .filter(({ top }) => top < scrollTop + clientHeight)
          .map((row) => ({ ...row, id: renames.get(row.id) ?? row.id }))
        const there = seen.map((row) => [row, rows.find(({ id }) => id === row.id)])
          .filter(([row, now]) => now && !moved.has(String(row.id)))
        const anchor = there[firstAscending(there.map(([, now]) => now.number))]
        const wanted = anchor ? anchor[1].top - (anchor[0].top - scrollTop) : scrollTop
        assert.equal(hold(), Math.max(0, Math.min(wanted, height - clientHeight)))
      }
      check(places, list.sections, heights, metrics, random)
      places.forgetHeights(13)
      check(places, list.sections, new Map(), { ...metrics, row: 13 }, random)
      places.measure([...heights].map(([id, height]) => [String(id), height]))
      places.show(list.sections)
      check(places, list.sections, heights, { ...metrics, row: 13 }, random)
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`
      throw error
    }
  }
})

test("a name that another row had before is that of the new row", () => {
  const list = new FollowedList()
  const places = new Places({ row: 10 })
  const whole = (target, items) => ({ format: 1, target, counts: { sections: 1, items: items.length }, sections: [{ id: "s", items }] })
  list.apply(whole("0", ["a", "b"]))
  places.show(list.sections)
  places.measure([["a", 30], ["b", 40]])
  // The names are passed on, and a new row has the first one.
  const difference = { itemInserts: [[0, 2, 3]], itemRenames: [[0, 0, 2]] }
  const renamedItems = [{ old: "a", new: "b" }, { old: "b", new: "c" }]
  const { sections: _, ...delta } = whole("1", ["b", "c", "a"])
  list.apply({ ...delta, base: "0", items: ["a"], renamedItems, difference })
  places.follow(list.sections, difference)
  const heights = ["b", "c", "a"].map((key) => places.place(key).height)
  assert.deepEqual(heights, [30, 40, 10])
  assert.deepEqual(["b", "c", "a"].map((key) => places.numberOf(key)), [0, 1, 2])
})

/** How far the deepest entry is from the root. */
function depth(root) {
  let [level, deepest] = [[root], 0]
  for (; level.length; deepest += 1) level = level.flatMap(({ left, right }) => [left, right].filter((child) => child))
  return deepest
}

test("a path in the tree stays short, whatever is put in and taken out", () => {
  const random = numbersFrom(5)
  const entry = (id) => new Entry(id, `${id}`, true)
  const count = 20_000
  let root = built(Array.from({ length: count }, (_, id) => entry(id)))
  assert.ok(depth(root) <= Math.ceil(Math.log2(count + 1)))
  for (let step = 0; step < count; step += 1) {
    // At the end, at the start, and anywhere: what a sorted list, a feed and a table do.
    const place = [root.size, 0, Math.floor(random() * root.size)][step % 3]
    const [first, second] = cut(root, place)
    root = joined(joined(first, entry(count + step), random), second, random)
    const gone = at(root, [0, Math.floor(random() * root.size)][step % 2])
    root = without(root, gone, random)
  }
  assert.equal(root.size, count)
  assert.ok(depth(root) < 4 * Math.log2(count), `${depth(root)}`)
  for (const place of [0, 1, 777, count - 1]) assert.equal(before(at(root, place)).size, place)
})

test("a change reads as many identifiers as it has, of a hundred thousand rows", () => {
  const items = Array.from({ length: 100_000 }, (_, id) => id)
  let reads = 0
  const counted = (items) => new Proxy(items, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads += 1
      return target[name]
    },
  })
  const places = new Places({ heading: 30, row: 20, random: numbersFrom(3) })
  places.show([{ id: "s", items }])
  const hold = places.hold(1_000_000, 800)
  const changed = [...items.slice(0, 500), 100_000, ...items.slice(500, 70_000), ...items.slice(70_001)]
  const sections = [{ id: "s", items: counted(changed) }]
  places.follow(sections, { itemDeletes: [[0, 70_000, 70_001]], itemInserts: [[0, 500, 501]] })
  assert.equal(reads, 1)
  assert.equal(hold(), 1_000_020)
  assert.equal(places.row(99_999).id, 99_999)
  assert.equal(places.numberOf("70000"), undefined)
})
