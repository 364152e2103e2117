import { Change, JSONValue, Section } from "./list.js"
import { PlacedSection } from "./places.js"

/** How rows come, go and move. */
export interface Motion {
  /** Where a movement that has not ended has an element now, beside its place, in CSS pixels. */
  offset(element: HTMLElement): number
  /** Lets an element come to its place from another one. */
  slide(element: HTMLElement, x: number, y: number): void
  appear(element: HTMLElement): void
  /** Lets an element go, which is no row any longer, towards `y` if it is not 0, and removes it. */
  vanish(element: HTMLElement, y: number): void
}

export interface LongListOptions<Model = any, ID = string, SectionID = string> {
  /** What a screen reader says of the list. */
  readonly label: string
  /** The roles of the list and of its rows: `list` and `listitem` by default. */
  readonly roles?: readonly [string, string]
  /** How high a row is supposed to be before it is seen, in CSS pixels; asked again when the list gets another size. */
  rowHeight(): number
  /** How high headings are, in CSS pixels; 0 (the default) for none. */
  readonly headingHeight?: number
  /** The model of a row. A row is filled again when it has another one. */
  model(id: ID): Model | undefined
  /** Shows a model in the element of a row, and gives that its label. */
  fill(row: HTMLElement, model: Model, section: SectionID): void
  /** Shows a section in the element of its heading, which stays in sight above its rows. */
  fillHeading?(heading: HTMLElement, section: PlacedSection<SectionID>): void
  /** Nothing moves without it. */
  readonly motion?: Motion
  /** Gets the model of the row that has the focus, `undefined` if none has it, with each frame in which rows are drawn. */
  focused?(model: Model | undefined): void
}

/**
 * A long list on the screen. Only the rows that can be seen are elements, with `data-key` and the classes `row line`;
 * their numbers are told to screen readers.
 */
export class LongList<Model = any, ID extends JSONValue = string, SectionID extends JSONValue = string> {
  /** `scroller` is the element that scrolls, empty and with a height of its own. */
  constructor(scroller: HTMLElement, options: LongListOptions<Model, ID, SectionID>)
  /** How often there was something to draw, and how many rows were filled, placed and measured for that. */
  readonly work: { readonly draws: number, readonly fills: number, readonly placements: number, readonly measurements: number }
  /** How many rows there are. */
  get count(): number
  /** Goes on to the sections after a change, which are drawn with the next frame; without a difference, from scratch. */
  follow(
    sections: readonly Section<ID, SectionID>[],
    change?: Partial<Change<ID>> & { readonly isAnimated?: boolean } | null
  ): void
}
