// Sends the edits of a list to the server, one after another, and keeps them until the server has made them.

import { EditedList } from "./edits.js"
import { Pauses } from "./follow.js"

/** How long an answer may take, in milliseconds. */
const patience = 15_000

/**
 * The edits of the list that a `Follower` follows.
 *
 * An edit is sent while the list is live. If there is no answer, the same text is sent again after a pause, as
 * often as needed: the server makes it once. Edits and the list below them are stored, and the next life of
 * the page goes on with them.
 */
export class Proposer extends EventTarget {
  edits
  /** Whether the last edit that was sent has no answer. It tells of `state` when this changes. */
  isFailing = false
  #follower
  #store = null
  #pauses
  #timer = 0
  #isSending = false
  #isClosed = false
  /** How often the whole state had come when an edit was sent first. */
  #resets = new Map()

  constructor(follower, pauses = new Pauses()) {
    super()
    ;[this.#follower, this.#pauses] = [follower, pauses]
    this.edits = new EditedList(follower.list)
    follower.addEventListener("change", ({ detail }) => this.edits.followed(detail))
    follower.addEventListener("state", () => this.#sendNow())
    addEventListener("online", () => this.#sendNow())
    this.edits.addEventListener("change", () => {
      this.#store?.write(this.edits.stored)
      this.send()
    })
  }

  /** Goes on with the edits of a store, and keeps all further ones there. Call it before the list is followed. */
  keep(store) {
    this.#store = store
    const stored = store.read()
    if (!stored) return
    // What was sent was sent after the state that is stored with it, and no other state has come since.
    for (const { id, text } of stored.edits) if (text) this.#resets.set(id, 0)
    this.edits.resume(stored)
  }

  /** Stores and sends nothing any longer: another one goes on with the store. */
  close() {
    this.#store = null
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** Sends what waits, if it is time to. */
  async send() {
    if (this.#isClosed || this.#isSending || this.#timer || this.#follower.state !== "live") return
    this.#isSending = true
    const edit = this.edits.next()
    const answer = edit && await this.#post(edit)
    this.#isSending = false
    if (!edit) return
    this.#become(!answer)
    if (!answer) return this.#wait()
    this.#pauses.reset()
    const resets = this.#resets.get(edit.id)
    this.#resets.delete(edit.id)
    if (answer.answer === "unknownBase") this.#follower.startOver()
    this.edits.answer(edit.id, answer)
    // A whole state that has come since may have the edit already: it does not say so. The next one comes
    // after the answer, so it has the edit.
    const isWaiting = this.edits.edits.some(({ id, token }) => id === edit.id && token)
    if (isWaiting && resets !== this.#follower.resets) this.#follower.startOver()
    this.send()
  }

  /** The answer to an edit; `null` if there is none. */
  async #post({ id, text }) {
    if (!this.#resets.has(id)) this.#resets.set(id, this.#follower.resets)
    try {
      const response = await fetch(this.#follower.path, {
        method: "POST", body: text, headers: { "Content-Type": "application/json" },
        signal: AbortSignal.timeout(patience),
      })
      if (response.ok) return await response.json()
      const { status } = response
      // Later it may be answered: the page is not allowed to now, or the server is busy.
      if (status >= 500 || [401, 403, 408, 429].includes(status)) return null
      return { answer: "refused", code: `${status}`, reason: `The server does not take it (${status}).` }
    } catch {
      return null
    }
  }

  #wait() {
    this.#timer = setTimeout(() => this.#sendNow(), this.#pauses.next())
  }

  #sendNow() {
    clearTimeout(this.#timer)
    this.#timer = 0
    this.send()
  }

  #become(isFailing) {
    if (this.isFailing === isFailing) return
    this.isFailing = isFailing
    this.dispatchEvent(new CustomEvent("state"))
  }
}

/** A place for a value that outlives the page, and that no other page uses at the same time. */
export class Store {
  #key

  constructor(key) { this.#key = key }

  /** The place that this page had before it was loaded again, or that of a page which is gone, or a new one. */
  static async open(name) {
    const prefix = `${name}/`
    const own = sessionStorage.getItem(prefix)
    // The page as it was may hold its place for a moment.
    if (own && await claimed(own, { signal: AbortSignal.timeout(1_000) })) return new Store(own)
    const others = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
    for (const key of [...others, prefix + crypto.randomUUID()]) {
      if (!await claimed(key, { ifAvailable: true })) continue
      sessionStorage.setItem(prefix, key)
      return new Store(key)
    }
  }

  read() {
    try {
      return JSON.parse(localStorage.getItem(this.#key))
    } catch {
      return null
    }
  }

  write(value) {
    try {
      if (value.edits.length) localStorage.setItem(this.#key, JSON.stringify(value))
      else localStorage.removeItem(this.#key)
    } catch {
      // There is no room, or the user does not allow it: the edits live as long as the page.
    }
  }
}

/** Takes a lock for as long as the page lives; whether it was free. */
const claimed = (key, options) => new Promise((resolve) => {
  navigator.locks.request(key, options, (lock) => {
    resolve(lock !== null)
    return lock && new Promise(() => {})
  }).catch(() => resolve(false))
})
