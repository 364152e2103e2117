// The text of Modules/list.js. Change it there; Tests/DiffableWebTests say how it is recorded.
// swift-format-ignore-file

extension WebModule {
  static let listText = ##"""
// A list that follows a source by its deltas, as the page "The format of deltas" describes them.
//
//   const list = new FollowedList()
//   list.apply(JSON.parse(event.data))
//   for (const section of list.sections) show(section.id, section.items.map((id) => list.model(id)))
//
// A delta that does not fit is refused as a whole: `apply` throws a `Misfit`, and the list is what it
// was. Forget the token then, and connect without one: what comes first is the whole state. `list.d.ts` says more.

export const format = 1

export class Misfit extends Error {}

/** A value that tells identifiers apart, which may be any JSON value; servers write fields in any order. */
export const key = (id) => (typeof id === "string" ? id : JSON.stringify(id, (_, value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value))

export class FollowedList {
  /** The name of the state, or `null` if there is none yet. */
  token = null
  /** In their order: `{ id, items }`, and `rows` where the section is an outline. */
  sections = []
  #models = new Map()
  #sectionModels = new Map()

  model(id) {
    return this.#models.get(key(id))
  }

  sectionModel(id) {
    return this.#sectionModels.get(key(id))
  }

  get count() {
    return this.sections.reduce((sum, section) => sum + section.items.length, 0)
  }

  apply(delta) {
    try {
      return this.#apply(delta)
    } catch (error) {
      throw error instanceof Misfit ? error : new Misfit(`it is no delta: ${error.message}`)
    }
  }

  #apply(delta) {
    if (delta.format !== format) throw new Misfit(`format ${delta.format} is unknown`)
    check(typeof delta.target === "string", "it leads nowhere")
    const isReset = delta.base === undefined
    // It came twice.
    if (!isReset && delta.target === this.token) {
      return { isReset, difference: {}, moved: new Set(), inserted: new Set(), proposals: [], renamed: [] }
    }
    if (!isReset && delta.base !== this.token) throw new Misfit("it starts from another state")
    // Nothing is stored before all of it is known to fit.
    const [sections, moved, gone = [], stays = [], deleted = []] = isReset
      ? [delta.sections?.map(made) ?? [], new Set()]
      : changed(this.sections, delta)
    const items = sections.reduce((sum, section) => sum + section.items.length, 0)
    check(sections.length === delta.counts.sections && items === delta.counts.items, "counts differ")

    const coming = [delta.items ?? [], ...(delta.sections ?? []).map((section) => made(section).items)]
    const inserted = new Set(coming.flat().map(key))
    const models = new Map(delta.models?.map((model) => [key(model.id), model]))
    // An item that moves to a new section has its model already.
    const old = isReset ? new Map() : this.#models
    const hasModels = models.size > 0 || old.size > 0
    for (const id of inserted) check(models.has(id) || old.has(id) || !hasModels, `${id} has no model`)
    const sectionModels = new Map(delta.sectionModels?.map(({ id, model }) => [key(id), model]))

    Object.assign(this, { token: delta.target, sections })
    if (isReset) {
      this.#models.clear()
      this.#sectionModels.clear()
    }
    const kept = new Set([...inserted, ...moved, ...stays.flat().map(key)])
    for (const id of gone.flat().map(key)) if (!kept.has(id)) this.#models.delete(id)
    for (const [id, model] of models) this.#models.set(id, model)
    for (const { id } of [...deleted, ...(delta.sections ?? [])]) this.#sectionModels.delete(key(id))
    for (const [id, model] of sectionModels) this.#sectionModels.set(id, model ?? undefined)
    const { proposals = [], renamedItems: renamed = [] } = delta
    const difference = isReset ? null : delta.difference ?? {}
    return { isReset, difference, moved, inserted, proposals, renamed }
  }

  get copy() {
    const copy = new FollowedList()
    copy.apply(this.wholeState)
    return copy
  }

  get wholeState() {
    return {
      format, target: this.token, counts: { sections: this.sections.length, items: this.count },
      sections: this.sections.map(({ id, items, rows }) => (rows ? { id, outline: rows } : { id, items })),
      models: [...this.#models.values()],
      sectionModels: this.sections.map(({ id }) => ({ id, model: this.sectionModel(id) })),
    }
  }
}

const check = (holds, reason) => {
  if (!holds) throw new Misfit(reason)
}

/** All items of a section, hidden ones included. */
const all = ({ items, rows }) => rows?.map(({ id }) => id) ?? items

/** A section as the text has it, made one of the list. */
const made = ({ id, items = [], outline }) => {
  if (outline) return { id, rows: outline, items: visible(outline) }
  check(Array.isArray(items), "items are no array")
  return { id, items }
}

/**
 * The numbers of ranges without their ends.
 *
 * A few characters can name more positions than there is memory for. So ranges are checked against the list
 * that they are of, and where that is not there yet, whoever asks for the numbers stops at the first one too many.
 */
function* numbers(ranges = [], count = Infinity) {
  for (const [first, end] of ranges) {
    check(end <= count, outside)
    for (let index = +first; index < end; index += 1) yield index
  }
}

/** The positions of item ranges, each with its section; `count` tells how many items a section has. */
function* paths(ranges = [], count = () => Infinity) {
  for (const [section, ...range] of ranges) {
    for (const index of numbers([range], count(section))) yield [section, index]
  }
}

const outside = "a position is out of range"

const ascending = (numbers) => [...numbers].sort((one, other) => one - other)

/**
 * An array without what goes, and with what comes at its new places. What stays is copied in whole runs.
 *
 * @param {Set<number>} gone Old positions of what goes or moves.
 * @param {Map<number, any>} coming What stands at new positions.
 */
function replaced(old, gone, coming) {
  const leaving = ascending(gone).values()
  const runs = []
  let [next, length, leaves] = [0, 0, leaving.next().value]
  const copy = (end) => {
    const run = old.slice(next, end)
    check(run.length === end - next, outside)
    runs.push(run)
    length += run.length
    next = end
  }
  const fill = (count) => {
    for (; leaves - next <= count - length; next += 1, leaves = leaving.next().value) copy(leaves)
    copy(next + count - length)
  }
  for (const index of ascending(coming.keys())) {
    fill(index)
    runs.push([coming.get(index)])
    length += 1
  }
  fill(old.length - gone.size + coming.size)
  // An engine takes that many arguments at least.
  return runs.length < 10_000 ? [].concat(...runs) : runs.flat()
}

/** The value of a key, which is made if there is none. */
function entry(map, key, make) {
  if (!map.has(key)) map.set(key, make())
  return map.get(key)
}

/**
 * The sections after a delta that is no reset, the keys of the moved items, what was taken out, what of it may have
 * stayed, and the deleted sections.
 */
function changed(old, delta) {
  const { sectionMoves = [], itemMoves = [], ...difference } = delta.difference ?? {}
  const goneItems = new Map()
  const comingItems = new Map()
  const remove = (section, index) => entry(goneItems, section, () => new Set()).add(index)
  const put = (section, index, id) => entry(comingItems, section, () => new Map()).set(index, id)
  const size = (section) => old[section]?.items.length ?? 0
  const [gone, stays] = [[], []]
  for (const [section, index] of paths(difference.itemDeletes, size)) {
    remove(section, index)
    gone.push([old[section].items[index]])
  }
  for (const { from, to } of itemMoves) {
    const id = old[from.section]?.items[from.item]
    check(id !== undefined, "a move starts nowhere")
    remove(from.section, from.item)
    put(to.section, to.item, id)
  }
  const items = (delta.items ?? []).values()
  for (const path of paths(difference.itemInserts)) put(...path, next(items))

  // Sections stay the same objects until this is done, so that each can be found by where it was.
  const goneSections = new Set(numbers(difference.sectionDeletes, old.length))
  const deleted = [...goneSections].map((index) => old[index])
  for (const section of deleted) gone.push(all(section))
  for (const { from } of sectionMoves) goneSections.add(from)
  const sections = (delta.sections ?? []).values()
  const comingSections = new Map()
  for (const index of numbers(difference.sectionInserts)) {
    const section = made(next(sections))
    comingSections.set(index, { made: section })
    stays.push(all(section))
  }
  for (const { from, to } of sectionMoves) {
    check(from < old.length, "a section moves from nowhere")
    comingSections.set(to, { from })
  }
  const places = replaced(old.map((_, from) => ({ from })), goneSections, comingSections)
  const outlines = (delta.outlines ?? []).values()
  const outlineChanges = new Map()
  for (const index of numbers(difference.outlineChanges)) outlineChanges.set(index, next(outlines))

  const changedItems = places.map(({ made, from }, index) => {
    const [gone, coming] = [goneItems.get(from), comingItems.get(index)]
    if (made) return made.items
    if (!gone && !coming) return old[from].items
    return replaced(old[from].items, gone ?? new Set(), coming ?? new Map())
  })
  // A new item may have the identifier that another one had before, so it is the place that is renamed.
  const renamed = delta.renamedItems ?? []
  const renames = new Map(renamed.map((rename) => [key(rename.old), rename.new]))
  gone.push(renamed.map((rename) => rename.old))
  stays.push(renamed.map((rename) => rename.new))
  const named = new Map()
  const count = (section) => changedItems[section]?.length ?? 0
  for (const [section, index] of paths(difference.itemRenames, count)) {
    const items = entry(named, section, () => [...changedItems[section]])
    check(renames.has(key(items[index])), "an item has no new identifier")
    items[index] = renames.get(key(items[index]))
  }

  const result = places.map(({ made, from }, index) => {
    if (made) return made
    const change = outlineChanges.get(index)
    const items = named.get(index) ?? changedItems[index]
    if (items === old[from].items && !change) return old[from]
    const rows = outlined(old[from], change)
    if (change) {
      gone.push(all(old[from]))
      stays.push(all({ rows, items }))
    }
    if (rows) check(String(visible(rows).map(key)) === String(items.map(key)), "an outline differs")
    return rows ? { id: old[from].id, items, rows } : { id: old[from].id, items }
  })
  const moved = itemMoves.map(({ to }) => key(result[to.section]?.items[to.item]))
  return [result, new Set(moved), gone, stays, deleted]
}

/** What comes next in the order in which the delta names it. */
function next(values) {
  const { done, value } = values.next()
  check(!done, "less comes than is inserted")
  return value
}

/** The rows of an outline after a change; `undefined` for a list. */
function outlined(section, change) {
  if (change?.list) return undefined
  if (change?.outline) return change.outline
  if (!change?.splices) return section.rows
  check(section.rows, "a list has no rows")
  const rows = [...section.rows]
  for (const splice of change.splices.toReversed()) {
    rows.splice(splice.at, splice.remove, ...(splice.rows ?? []))
  }
  return rows
}

/** The items of rows whose ancestors are all expanded. */
function visible(rows) {
  let shown = 0
  return rows.flatMap(({ id, level = 0, expanded = false }) => {
    if (level > shown) return []
    shown = expanded ? level + 1 : level
    return [id]
  })
}

"""##
}
