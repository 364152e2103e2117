/** A heading or a row in the order of `Places`. */
export class Entry {
  constructor(id: unknown, key: string, isRow: boolean)
  id: unknown
  key: string
  readonly isRow: boolean
  left: Entry | null
  right: Entry | null
  parent: Entry | null
  /** In CSS pixels; `null` as long as it was not measured. Call `refresh` after a change. */
  height: number | null
  /** How many entries its subtree has. */
  size: number
  /** How many of them are rows. */
  rows: number
  /** The sum of their heights that were measured. */
  measured: number
  /** How many rows were not measured. */
  unmeasured: number
}

/** A tree of entries in their order; `null` without entries. */
export function built(entries: Entry[], first?: number, end?: number): Entry | null

/** The entries of one tree, and then those of another one. */
export function joined(left: Entry | null, right: Entry | null, random: () => number): Entry | null

/** The trees of the first entries, as many as `count` says, and of all others. */
export function cut(root: Entry | null, count: number): [Entry | null, Entry | null]

/** The tree without an entry, which is one of its own then. */
export function without(root: Entry | null, entry: Entry, random: () => number): Entry | null

/** Works out the sums again, from an entry up. */
export function refresh(entry: Entry): void

/** The entry at a position; `null` if there is none. */
export function at(root: Entry | null, position: number): Entry | null

/** The row with a number, or the heading with one, and its position; `null` if there is none. */
export function ranked(root: Entry | null, number: number, isRow: boolean): { entry: Entry, position: number } | null

/** What is before an entry: how many entries and rows, the measured heights, and how many rows were not measured. */
export function before(entry: Entry): { size: number, rows: number, measured: number, unmeasured: number }
