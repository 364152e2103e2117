import { Difference, Section } from "./list.js"

/** A row of a long list, and where it is, in CSS pixels. */
export interface PlacedRow<ID = string> {
  readonly id: ID
  readonly key: string
  /** Its number from 0 through all sections. */
  readonly number: number
  readonly top: number
  readonly height: number
  readonly isMeasured: boolean
}

/** A section of a long list with its heading, and where it is, in CSS pixels. */
export interface PlacedSection<SectionID = string> {
  readonly id: SectionID
  /** Its number from 0. */
  readonly index: number
  /** The number of its first row. */
  readonly first: number
  /** How many rows it has. */
  readonly count: number
  readonly top: number
  readonly height: number
}

/**
 * Where the rows of a long list are. Questions cost O(log n) for n rows.
 *
 *     const places = new Places({ heading: 36, row: 28 })
 *     places.show(list.sections)                             // from scratch: O(n) for n rows
 *     const hold = places.hold(scrollTop, clientHeight)      // what is seen now: O(w log n) for w rows
 *     places.follow(list.sections, delta.difference)         // after a delta: O(c log n) for c changes
 *     scrollTop = hold()                                     // with it, what was seen stays where it is
 */
export class Places<ID = string, SectionID = string> {
  /** The height of a heading, and that of a row which was not measured yet; `random` for tests with a seed. */
  constructor(options: { heading?: number, row: number, random?: () => number })
  get count(): number
  get sectionCount(): number
  /** How high all of it is. */
  get height(): number
  /** The number of the row with a key; `undefined` if there is none. */
  numberOf(key: string | null): number | undefined
  /** A row by its number, which must be less than `count`. */
  row(number: number): PlacedRow<ID>
  /** Where the row with a key is; `undefined` if there is none. */
  place(key: string): { readonly top: number, readonly height: number } | undefined
  /** The number of the first row that ends below a place; of the last one if there is none. */
  number(top: number): number
  /** The number of the section that has a row. */
  sectionOf(number: number): number
  /** A section by its number, which must be less than `sectionCount`. */
  section(index: number): PlacedSection<SectionID>
  /** Shows other sections; rows that stay keep their heights, and `hold` finds them. O(n). */
  show(sections: readonly Section<ID, SectionID>[]): void
  /** Goes on to the sections after a delta, by its difference. O(c log n) for c changes. */
  follow(sections: readonly Section<ID, SectionID>[], difference?: Difference): void
  /** Sets heights of rows by their keys; returns whether any is another one. O(c log n) for c of them. */
  measure(heights: Iterable<readonly [string, number]>): boolean
  /** Forgets all heights; rows that were not measured have this one. O(n). */
  forgetHeights(row?: number): void
  /**
   * Remembers what is seen; returns a function that says where to scroll so that it stays where it is. Nobody says
   * which rows have moved in `show`, or with their section: as many seen rows as can be that kept their order count as
   * those that have not.
   */
  hold(scrollTop: number, clientHeight: number): () => number
}
