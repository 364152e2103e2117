import { EditedList, StoredEdits } from "./edits.js"
import { Follower, Pauses } from "./follow.js"
import { Telling } from "./list.js"

/**
 * The edits of the list that a `Follower` follows, sent to the server one after another.
 *
 * An edit is sent while the list is live. If there is no answer, the same text is sent again after a pause, as often
 * as needed: the server makes it once. It tells of `state` when `isFailing` or `isKept` changes.
 */
export class Proposer<Model = any, ID = string, SectionID = string> {
  constructor(follower: Follower<Model, ID, SectionID>, pauses?: Pauses)
  /** The list to show and to edit. */
  readonly edits: EditedList<Model, ID, SectionID>
  /** Whether the last edit that was sent has no answer. */
  readonly isFailing: boolean
  /** Whether the edits outlive the page: there is a store, and the browser has room for them. */
  readonly isKept: boolean
  /** Goes on with the edits of a store, and keeps all further ones there. Call it before the list is followed. */
  keep(store: Store): void
  /** Sends what waits, if it is time to. */
  send(): Promise<void>
  /** Follows the list, until `hide`: it is on the screen. */
  show(): void
  /** Follows the list only until all edits are in it, unless it is shown again before: another list is on the screen. */
  hide(): void
  /** Stores and sends nothing any longer: another proposer goes on with the store. */
  close(): void
}

export interface Proposer<Model = any, ID = string, SectionID = string>
  extends Telling<{ state: null }> {}

/** A place for edits that outlives the page, and that no other page uses at the same time. */
export class Store {
  /**
   * Opens the place that this page had before it was loaded again, that of a page which is gone, or a new one.
   *
   * @param name Begins the names of all places for one list.
   */
  static open(name: string): Promise<Store>
  /** A place for as long as the page is there, unless it gets a name that nobody else uses. */
  constructor(key?: string | null, release?: () => void)
  /** Whether what was written last outlives the page. */
  readonly isKept: boolean
  read(): StoredEdits | null
  write(stored: StoredEdits): void
  /** Lets another page, or this one, take the place. */
  close(): void
}

/**
 * Follows and edits a list, and goes on with the edits of an earlier life of the page.
 *
 * @param path The address of the list.
 * @param name The name of its store: the whole address by default. If several people use one browser, give each another one.
 * @returns What tells of changes; `close` ends all of it, and leaves edits that wait to the next page.
 */
export function openList<Model = any, ID = string, SectionID = string>(path: string, name?: string): {
  readonly follower: Follower<Model, ID, SectionID>
  readonly proposer: Proposer<Model, ID, SectionID>
  readonly edits: EditedList<Model, ID, SectionID>
  close(): void
}
