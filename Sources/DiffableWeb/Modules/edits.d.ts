import { Change, Delta, FollowedList, Telling } from "./list.js"

/**
 * Where an item goes: after another one of a section, or before all others with `null`. The section must be in the
 * list; after an item that is not in it is the end.
 */
export interface Place<ID = string, SectionID = string> {
  readonly section: SectionID
  readonly after: ID | null
}

/** What happens to one item. */
export type Edit<Model = any, ID = string, SectionID = string> =
  /** Inserts it. The model has the identifier of the item as its `id`. */
  | { item: ID, model: Model, place: Place<ID, SectionID> }
  /** Changes some fields of its model, moves it, or both. */
  | { item: ID, fields?: Partial<Model>, place?: Place<ID, SectionID> }
  /** Deletes it. */
  | { item: ID, deletes: true }

/** An edit that the list does not have yet. */
export type PendingEdit<Model = any, ID = string, SectionID = string> =
  Edit<Model, ID, SectionID> & {
    /** The name of its proposal. */
    readonly id: string
    /** What takes it back. */
    readonly inverse: Edit<Model, ID, SectionID>
    /** Whether it takes back another one. */
    readonly undo?: true
    /** What it takes back then: the name of that, and the fields that it has set. */
    readonly reverses?: { readonly id: string, readonly fields?: Partial<Model> }
    /** What was sent, if it was. */
    readonly text?: string
    /** The state that has it, if it was accepted. */
    readonly token?: string
  }

/** What a server says to a proposal, see “The format of proposals” in the documentation of `DiffableSync`. */
export interface Answer {
  readonly answer: "accepted" | "refused" | "unknownBase"
  readonly token?: string
  readonly delta?: Delta
  readonly reverse?: Delta
  readonly conflicts?: readonly { readonly contradiction: string }[]
  readonly code?: string
  readonly reason?: string
}

/** Why an edit was refused: the server has said so, or the code is `gone`, as somebody has deleted its item. */
export interface EditRefusal<Model = any, ID = string, SectionID = string> {
  readonly edit: PendingEdit<Model, ID, SectionID>
  readonly code?: string
  readonly reason?: string
}

/** What an edit and others have changed in contradiction. */
export interface EditConflict<Model = any, ID = string, SectionID = string> {
  readonly edit: PendingEdit<Model, ID, SectionID>
  readonly contradiction: string
}

/** Edits and the list below them, for a store. */
export interface StoredEdits<Model = any, ID = string, SectionID = string> {
  readonly edits: PendingEdit<Model, ID, SectionID>[]
  readonly state: Delta | null
}

/**
 * A followed list with the edits of its user, which are shown at once. Its sections are lists, and no outlines.
 *
 * It tells of `refused`, with an `EditRefusal`; of `conflict`, with an `EditConflict`; and of `change`, with what others
 * have changed, or `null` if an edit has changed something, or if those that wait insert, move or delete. Whoever uses
 * what others have changed must not edit while it is told. A change of others costs O(s) for s sections, and O(n) more
 * for n items and each edit that waits.
 */
export class EditedList<Model = any, ID = string, SectionID = string> {
  constructor(list: FollowedList<Model, ID, SectionID>)
  /** What the list does not have yet, in the order in which it is sent. */
  readonly edits: readonly PendingEdit<Model, ID, SectionID>[]
  /** What is to be shown. */
  get sections(): readonly { readonly id: SectionID, readonly items: readonly ID[] }[]
  /** The model of an item as it is shown; `undefined` if it is not in the list. */
  model(id: ID): Model | undefined
  /** Whether an edit of the item waits. */
  isPending(id: ID): boolean
  /**
   * Shows an edit; returns whether it changes anything.
   *
   * It does not where the list has no such item or section, or has the item that is inserted: so before its first state.
   */
  add(edit: Edit<Model, ID, SectionID>): boolean
  /** Whether there is an edit that may be taken back. */
  get canUndo(): boolean
  /**
   * Takes back the newest edit; returns it, or `null` if there is none that can be taken back.
   *
   * Fields that others have changed since stay, and what others had written when the server made the edit comes back.
   * Edits that wait can be taken back after the page was loaded again, too.
   */
  undo(): PendingEdit<Model, ID, SectionID> | null
  /** The edit to be sent now, with its text; `null` if there is none. A `Proposer` calls this. */
  next(): PendingEdit<Model, ID, SectionID> | null
  /** Takes what the server has said to an edit. A `Proposer` calls this. */
  answer(id: string, answer: Answer): void
  /** Takes what `apply` of the list has returned. A `Proposer` calls this. */
  followed(change: Change<ID>): void
  /** What is to be stored, and taken by `resume` in the next life of the page. */
  get stored(): StoredEdits<Model, ID, SectionID>
  /** Shows the state that was stored, and the edits. */
  resume(stored: StoredEdits<Model, ID, SectionID>): void
}

export interface EditedList<Model = any, ID = string, SectionID = string>
  extends Telling<{
    change: Change<ID> | null
    refused: EditRefusal<Model, ID, SectionID>
    conflict: EditConflict<Model, ID, SectionID>
  }> {}
