import { Change, FollowedList, Telling } from "./list.js"

/** Pauses after failures: each twice as long as the one before, up to a limit, and up to half of it less at random. */
export class Pauses {
  readonly first: number
  readonly longest: number
  /** In milliseconds: a second and half a minute by default. */
  constructor(first?: number, longest?: number)
  /** How long to wait now, in milliseconds. */
  next(): number
  /** Begins with the first pause again. */
  reset(): void
}

/** 128 random bits as 22 characters: the name of a proposal, or of an item that a user adds. */
export function newID(): string

/**
 * How a connection is.
 *
 * - `connecting`: it was not open yet.
 * - `live`: what is shown is what the server has.
 * - `waiting`: it was lost, and is tried again.
 * - `full`: the server has no room (503), and is asked again.
 * - `refused`: the user may not read the list (401 or 403). It is not tried again before `open`.
 * - `ended`: the list has ended for good.
 */
export type State = "connecting" | "live" | "waiting" | "full" | "refused" | "ended"

/** What a delta has changed, and whether to show how that came about. */
export interface ShownChange<ID = string> extends Change<ID> {
  readonly isAnimated: boolean
}

/**
 * A connection to one list of a server, through cuts, restarts and searches.
 *
 * It tells of `change`, with a `ShownChange` as its `detail`, and of `state`.
 */
export class Follower<Model = any, ID = string, SectionID = string> {
  readonly list: FollowedList<Model, ID, SectionID>
  readonly state: State
  /** Where the list is read, and where proposals are posted. */
  readonly path: string
  /** How many times the whole state has come. */
  resets: number
  /** How many times a connection has begun. */
  connections: number
  /** How many times the server has said that it is there. */
  heartbeats: number
  /** How long the server may say nothing, in milliseconds: three heartbeats, 45 seconds by default. */
  patience: number
  /**
   * Makes a connection that is not open yet.
   *
   * @param path The address of the list. `after`, the state that is held, and `page`, a name of this page, are added
   *   to its query, and `search` where there is one.
   */
  constructor(path: string, pauses?: Pauses)
  /** Connects, and goes on after the state that is held. */
  open(): void
  /** Asks for the whole state. What is shown stays until it has come. */
  startOver(): void
  /** Ends the connection. The list stays as it is, and `open` goes on after it. */
  close(): void
  /** What the server has been asked for. */
  get asked(): string
  /** Shows what a text finds, on a server that searches. */
  search(text: string): void
}

export interface Follower<Model = any, ID = string, SectionID = string>
  extends Telling<{ change: ShownChange<ID>, state: null }> {}
