// Where the rows of a long list are, whose heights become known when they are seen. `rows.js` shows them, and
// `places.d.ts` says what each function answers.
//
// It has no elements, so it can be tested anywhere. Heights and tops are in CSS pixels, and rows are numbered from 0
// through all sections, whose headings have one height.

import { key } from "./list.js"
import { at, before, built, cut, Entry, joined, ranked, refresh, without } from "./order.js"

export class Places {
  #root = null
  /** The rows by their keys. */
  #rows = new Map()
  #heading
  #row
  #random

  /** `heading` is the height of a heading, and `row` that of a row which was not measured yet. */
  constructor({ heading = 0, row, random = Math.random }) {
    ;[this.#heading, this.#row, this.#random] = [heading, row, random]
  }

  // Questions: O(log n) each

  get count() { return this.#root?.rows ?? 0 }

  get sectionCount() { return this.#root ? this.#root.size - this.#root.rows : 0 }

  get height() { return this.#root ? this.#high(this.#root) : 0 }

  #high({ size, rows, measured, unmeasured }) {
    return (size - rows) * this.#heading + measured + unmeasured * this.#row
  }

  #own({ isRow, height }) { return isRow ? height ?? this.#row : this.#heading }

  numberOf(key) {
    const row = this.#rows.get(key)
    return row && before(row).rows
  }

  row(number) {
    const { entry } = ranked(this.#root, number, true)
    const { id, key } = entry
    return { id, key, number, ...this.#placed(entry), isMeasured: entry.height !== null }
  }

  #placed(entry) { return { top: this.#high(before(entry)), height: this.#own(entry) } }

  place(key) {
    const row = this.#rows.get(key)
    return row && this.#placed(row)
  }

  /** The number of the first row that ends below a place, of the last one if there is none. */
  number(top) {
    let [entry, number] = [this.#root, 0]
    while (entry) {
      const above = entry.left ? this.#high(entry.left) : 0
      if (top < above) {
        entry = entry.left
        continue
      }
      number += entry.left?.rows ?? 0
      top -= above
      if (top < this.#own(entry)) break
      top -= this.#own(entry)
      if (entry.isRow) number += 1
      entry = entry.right
    }
    return Math.max(0, Math.min(number, this.count - 1))
  }

  sectionOf(number) {
    const { position } = ranked(this.#root, number, true)
    return position - number - 1
  }

  section(index) {
    const { entry } = ranked(this.#root, index, false)
    const { rows: first, ...sums } = before(entry)
    const top = this.#high({ rows: first, ...sums })
    const next = index + 1 < this.sectionCount ? ranked(this.#root, index + 1, false).entry : null
    const after = next ? before(next) : null
    const end = after ? this.#high(after) : this.height
    return { id: entry.id, index, first, count: (after?.rows ?? this.count) - first, top, height: end - top }
  }

  // Changes

  /** Shows other sections. Rows that stay keep their heights, and `hold` finds them. O(n). */
  show(sections) {
    const old = this.#rows
    this.#rows = new Map()
    const entries = []
    for (const { id, items } of sections) {
      entries.push(new Entry(id, key(id), false))
      for (const item of items) {
        const name = key(item)
        const row = (this.#rows.has(name) ? null : old.get(name)) ?? new Entry(item, name, true)
        this.#rows.set(name, row)
        entries.push(row)
      }
    }
    this.#root = built(entries)
  }

  /**
   * Goes on to the sections after a delta, by its difference: O(c log n) for c changes, deleted rows and those of
   * deleted and inserted sections included. It must be the difference to these sections: `FollowedList` checks it.
   */
  follow(sections, difference = {}) {
    const { sectionDeletes = [], sectionInserts = [], sectionMoves = [] } = difference
    const { itemDeletes = [], itemInserts = [], itemMoves = [], itemRenames = [] } = difference
    // What goes is found before anything has moved.
    const heading = (index) => ranked(this.#root, index, false).entry
    const item = (section, index) => at(this.#root, ranked(this.#root, section, false).position + 1 + index)
    const moved = itemMoves.map(({ from, to }) => ({ row: item(from.section, from.item), ...to }))
    const gone = [...paths(itemDeletes)].map(([section, index]) => item(section, index))
    const goneSections = [...numbers(sectionDeletes)].map(heading)
    const movedSections = sectionMoves.map(({ from, to }) => ({ entry: heading(from), index: to }))

    for (const { row } of moved) this.#take(row)
    for (const row of gone) this.#drop(row)
    for (const entry of goneSections) for (const row of rowsOf(this.#cutSection(entry))) this.#forget(row)
    const coming = movedSections.map(({ entry, index }) => ({ index, tree: this.#cutSection(entry) }))
    const moving = new Map(moved.map(({ row }) => [row.key, row]))
    const isNew = new Set(numbers(sectionInserts))
    for (const index of isNew) coming.push({ index, tree: this.#newSection(sections[index], moving) })
    coming.sort((one, other) => one.index - other.index)
    for (const { index, tree } of coming) this.#put(tree, this.#start(index))

    const items = moved.map(({ row, section, item }) => ({ row, section, item }))
    for (const [section, index] of paths(itemInserts)) {
      if (!isNew.has(section)) items.push({ section, item: index })
    }
    items.sort((one, other) => one.section - other.section || one.item - other.item)
    for (const { row, section, item } of items) {
      // A new section has all of its rows already.
      if (isNew.has(section)) continue
      this.#put(row ?? this.#newRow(sections[section].items[item]), this.#start(section) + 1 + item)
    }
    this.#rename([...paths(itemRenames)].map(([section, index]) =>
      [item(section, index), sections[section].items[index]]))
    for (const { row } of moved) this.#moved.add(row)
  }

  /** The rows that have moved since `hold` was called. */
  #moved = new Set()

  #start(index) {
    return index < this.sectionCount ? ranked(this.#root, index, false).position : this.#root?.size ?? 0
  }

  #put(tree, position) {
    const [first, second] = cut(this.#root, position)
    this.#root = joined(joined(first, tree, this.#random), second, this.#random)
  }

  #take(row) { this.#root = without(this.#root, row, this.#random) }

  #drop(row) {
    this.#take(row)
    this.#forget(row)
  }

  #forget(row) {
    if (this.#rows.get(row.key) === row) this.#rows.delete(row.key)
  }

  #newRow(id) {
    const row = new Entry(id, key(id), true)
    this.#rows.set(row.key, row)
    return row
  }

  #newSection({ id, items }, moving) {
    const rows = items.map((item) => moving.get(key(item)) ?? this.#newRow(item))
    return built([new Entry(id, key(id), false), ...rows])
  }

  /** Takes a section out, as a tree of its own. */
  #cutSection(entry) {
    const { size, rows } = before(entry)
    const [first, rest] = cut(this.#root, size)
    const next = ranked(rest, 1, false)
    const [section, last] = cut(rest, next?.position ?? rest.size)
    this.#root = joined(first, last, this.#random)
    return section
  }

  /** A name may be that which another row had before. */
  #rename(names) {
    for (const [row] of names) this.#forget(row)
    for (const [row, id] of names) {
      Object.assign(row, { id, key: key(id) })
      this.#rows.set(row.key, row)
    }
  }

  /** Sets the heights of rows by their keys; returns whether any is another one. O(c log n) for c of them. */
  measure(heights) {
    let isOther = false
    for (const [key, height] of heights) {
      const row = this.#rows.get(key)
      if (!row || row.height === height) continue
      isOther ||= this.#own(row) !== height
      row.height = height
      refresh(row)
    }
    return isOther
  }

  /** Forgets all heights, such as those for another width; rows that were not measured have this one. O(n). */
  forgetHeights(row = this.#row) {
    this.#row = row
    for (const entry of this.#rows.values()) entry.height = null
    const recount = (entry) => {
      if (!entry) return
      entry.measured = 0
      entry.unmeasured = entry.rows
      recount(entry.left)
      recount(entry.right)
    }
    recount(this.#root)
  }

  /**
   * Remembers what is seen; returns a function that says where to scroll after changes, so that the first row of
   * those that are still there, and have not moved among the others, is where it was. O(w log n) for w rows seen.
   */
  hold(scrollTop, clientHeight) {
    this.#moved = new Set()
    const seen = []
    for (let number = this.number(scrollTop); number < this.count; number += 1) {
      const { key, top } = this.row(number)
      if (top >= scrollTop + clientHeight) break
      seen.push({ entry: this.#rows.get(key), offset: top - scrollTop })
    }
    return () => {
      const stays = seen.filter(({ entry }) => this.#rows.get(entry.key) === entry && !this.#moved.has(entry))
      const first = stays[firstAscending(stays.map(({ entry }) => before(entry).rows))]
      const top = first ? this.#placed(first.entry).top - first.offset : scrollTop
      return Math.max(0, Math.min(top, this.height - clientHeight))
    }
  }
}

const numbers = function* (ranges) {
  for (const [first, end] of ranges) for (let index = first; index < end; index += 1) yield index
}

const paths = function* (ranges) {
  for (const [section, first, end] of ranges) for (let index = first; index < end; index += 1) yield [section, index]
}

/** The index of the first of the numbers that ascend, as many as can be; `undefined` if there are none. */
function firstAscending(numbers) {
  // The greatest that begins one ascending number, two of them, and so on.
  const starts = []
  let first
  for (let index = numbers.length - 1; index >= 0; index -= 1) {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle] > numbers[index]) low = middle + 1
      else high = middle
    }
    starts[low] = numbers[index]
    if (low === starts.length - 1) first = index
  }
  return first
}

/** The rows of a tree, in any order. */
function* rowsOf(root) {
  const open = root ? [root] : []
  for (let entry; (entry = open.pop()); ) {
    if (entry.isRow) yield entry
    if (entry.left) open.push(entry.left)
    if (entry.right) open.push(entry.right)
  }
}
