/** Any JSON value; a server has one type of identifiers for sections and one for items. */
export type JSONValue =
  | string | number | boolean | null | JSONValue[] | { [name: string]: JSONValue }

/** An `EventTarget` with the events that it tells of. */
export interface Telling<Events> {
  addEventListener<Name extends keyof Events>(
    type: Name, listener: (event: CustomEvent<Events[Name]>) => void, options?: boolean | AddEventListenerOptions
  ): void
  removeEventListener<Name extends keyof Events>(
    type: Name, listener: (event: CustomEvent<Events[Name]>) => void, options?: boolean | EventListenerOptions
  ): void
}

/** The format of deltas and proposals that these modules read and write. */
export const format: 1

/** Why a delta was refused. The list is what it was. */
export class Misfit extends Error {}

/** A value that tells identifiers apart, for maps, sets and attributes of elements. */
export function key(id: JSONValue): string

/** The row of an outline. */
export interface Row<ID> {
  readonly id: ID
  /** The number of its ancestors; 0 if absent. */
  readonly level?: number
  /** Whether its children are shown. */
  readonly expanded?: boolean
  /** Whether it has children that are not loaded yet. */
  readonly unloaded?: boolean
}

/** A section as it is shown. It is the same object until something in it changes. */
export interface Section<ID = string, SectionID = string> {
  readonly id: SectionID
  /** The items that can be seen, in their order. */
  readonly items: readonly ID[]
  /** All rows where the section is an outline, hidden ones included. */
  readonly rows?: readonly Row<ID>[]
}

/** A delta as the server writes it, see “The format of deltas” in the documentation of `DiffableSync`. */
export interface Delta {
  readonly format: number
  readonly base?: string
  readonly target: string
  readonly counts: { readonly sections: number, readonly items: number }
  readonly [field: string]: unknown
}

/** The difference of a delta, see “The format of deltas” in the documentation of `DiffableSync`. */
export interface Difference { readonly [field: string]: unknown }

/** What a delta has changed. */
export interface Change<ID = string> {
  /** Whether the whole list was replaced. */
  readonly isReset: boolean
  /** What has changed where, in positions; `null` if the whole list was replaced. */
  readonly difference: Difference | null
  /** The keys of the items that have moved. */
  readonly moved: ReadonlySet<string>
  /** The keys of the items that have come. */
  readonly inserted: ReadonlySet<string>
  /** The names of the proposals that have become part of the list. */
  readonly proposals: readonly string[]
  /** The items that have new identifiers. */
  readonly renamed: readonly { readonly old: ID, readonly new: ID }[]
}

/** A list that follows a source by its deltas. */
export class FollowedList<Model = any, ID = string, SectionID = string> {
  /** The name of the state, or `null` if there is none yet. Set it to `null` to take a whole state only. */
  token: string | null
  readonly sections: readonly Section<ID, SectionID>[]
  /** How many items can be seen. */
  get count(): number
  /** The model of an item; `undefined` if it is not in the list, or the list has no models. */
  model(id: ID): Model | undefined
  /** The model of a section; `undefined` if it has none. */
  sectionModel(id: SectionID): any
  /**
   * Goes on to the state that a delta leads to.
   *
   * @throws {Misfit} The delta does not fit, and the list is what it was. Ask for a whole state then.
   */
  apply(delta: Delta): Change<ID>
  /** Another list in the same state. */
  get copy(): FollowedList<Model, ID, SectionID>
  /** The whole state as a delta, to be stored. */
  get wholeState(): Delta
}
