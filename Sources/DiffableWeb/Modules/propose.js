// Sends the edits of a list to the server, one after another, and keeps them until the server has made them.
// `propose.d.ts` says more.

import { EditedList } from "./edits.js"
import { Follower, newID, Pauses } from "./follow.js"

/** How long an answer may take, in milliseconds. */
const patience = 15_000

const answers = ["accepted", "refused", "unknownBase"]

/** The edits of the list that a `Follower` follows. What has no answer is sent again: the server makes it once. */
export class Proposer extends EventTarget {
  edits
  /** Whether the last edit that was sent has no answer. It tells of `state` when this changes. */
  isFailing = false
  isKept = false
  #follower
  #store = null
  #kept
  #pauses
  #timer = 0
  #isSending = false
  #isShown = true
  #end = new AbortController()
  /** How often, one after another, the server did not know the state that an edit was made on. */
  #unknown = 0
  /** How often the whole state had come when an edit was sent first. */
  #resets = new Map()

  constructor(follower, pauses = new Pauses()) {
    super()
    ;[this.#follower, this.#pauses] = [follower, pauses]
    this.edits = new EditedList(follower.list)
    const { signal } = this.#end
    follower.addEventListener("change", ({ detail }) => {
      this.edits.followed(detail)
      this.send()
    }, { signal })
    follower.addEventListener("state", () => {
      this.#rest()
      this.#sendNow()
    }, { signal })
    addEventListener("online", () => this.#sendNow(), { signal })
    this.edits.addEventListener("change", ({ detail }) => {
      this.#keep()
      this.#rest()
      // What is sent is a change of its own, and comes after this one.
      if (!detail) this.send()
    }, { signal })
  }

  keep(store) {
    this.#store = store
    this.#become({ isKept: store.isKept })
    const stored = store.read()
    if (!stored) return
    // What was sent was sent after the state that is stored with it, and no other state has come since.
    for (const { id, text } of stored.edits) if (text) this.#resets.set(id, 0)
    this.edits.resume(stored)
  }

  /** Stores the edits if they have changed: the server says what has come since the list that is stored below them. */
  #keep() {
    const edits = JSON.stringify(this.edits.edits)
    if (!this.#store || (this.isKept && edits === this.#kept)) return
    this.#kept = edits
    this.#store.write(this.edits.stored)
    this.#become({ isKept: this.#store.isKept })
  }

  show() {
    this.#isShown = true
    this.#follower.open()
  }

  hide() {
    this.#isShown = false
    this.#rest()
  }

  #rest() { if (!this.#isShown && !this.edits.edits.length) this.#follower.close() }

  close() {
    this.#store = null
    this.#end.abort()
    clearTimeout(this.#timer)
  }

  /** Sends what waits, if it is time to. */
  async send() {
    if (this.#end.signal.aborted || this.#isSending || this.#timer || this.#follower.state !== "live") return
    this.#isSending = true
    const edit = this.edits.next()
    const answer = edit && await this.#post(edit)
    this.#isSending = false
    if (!edit) return
    this.#become({ isFailing: !answer })
    if (this.#end.signal.aborted) return
    if (!answer) return this.#wait(() => this.#sendNow())
    const resets = this.#resets.get(edit.id)
    this.#resets.delete(edit.id)
    const isUnknown = answer.answer === "unknownBase"
    this.#unknown = isUnknown ? this.#unknown + 1 : 0
    // A server that never knows it is not asked all the time.
    if (this.#unknown > 1) this.#wait(() => this.#startOver())
    else if (isUnknown) this.#startOver()
    else this.#pauses.reset()
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
      if (response.ok) {
        const answer = await response.json()
        return answers.includes(answer?.answer) ? answer : null
      }
      const { status } = response
      // Later it may be answered: the page is not allowed to now, or the server is busy.
      if (status >= 500 || [401, 403, 408, 429].includes(status)) return null
      return { answer: "refused", code: `${status}`, reason: `The server does not take it (${status}).` }
    } catch {
      return null
    }
  }

  #wait(act) {
    this.#timer = setTimeout(act, this.#pauses.next())
  }

  #startOver() {
    this.#timer = 0
    this.#follower.startOver()
  }

  #sendNow() {
    clearTimeout(this.#timer)
    this.#timer = 0
    this.send()
  }

  #become(state) {
    if (Object.entries(state).every(([name, value]) => this[name] === value)) return
    Object.assign(this, state)
    this.dispatchEvent(new CustomEvent("state"))
  }
}

/**
 * A place for edits that outlives the page, and that no other page uses at the same time.
 *
 * Where the browser stores nothing, as in some private windows, it is there for as long as the page is.
 */
export class Store {
  /** Whether what was written last outlives the page. */
  isKept
  #owner = newID()
  #key
  #release

  constructor(key = null, release = () => {}) {
    ;[this.#key, this.#release, this.isKept] = [key, release, key !== null]
  }

  /** The place that this page had before it was loaded again, or that of a page which is gone, or a new one. */
  static async open(name) {
    const prefix = `${name}/`
    try {
      const own = sessionStorage.getItem(prefix)
      // The page as it was may hold its place for a moment.
      const release = own && await claim(own, 1_000)
      if (release) return new Store(own, release)
      const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index))
      // A list whose name begins with this one has others.
      const others = keys.filter((key) => key.startsWith(prefix) && key.lastIndexOf("/") < prefix.length)
      for (const key of [...others, prefix + newID()]) {
        const release = await claim(key)
        if (!release) continue
        attempt(() => sessionStorage.setItem(prefix, key))
        return new Store(key, release)
      }
    } catch {
      // Not even reading is allowed.
    }
    return new Store()
  }

  close() { this.#release() }

  get #value() {
    try {
      return JSON.parse(localStorage.getItem(this.#key))
    } catch {
      return null
    }
  }

  #put(value) {
    // JSON would leave out a field that is to have no value.
    const text = JSON.stringify({ ...value, owner: this.#owner }, (_, value) => value ?? null)
    return attempt(() => localStorage.setItem(this.#key, text))
  }

  read() {
    const value = this.#value
    const isWhole = Array.isArray(value?.edits) && value.edits.every((edit) => edit?.id && "item" in edit)
    if (!isWhole) return null
    this.#put(value)
    return value
  }

  write({ edits, state }) {
    if (this.#key === null) return
    // A page that was frozen leaves its place to the one that has taken it.
    const { owner = this.#owner } = this.#value ?? {}
    if (owner !== this.#owner) this.#key += newID()
    // If there is no room for the list below the edits, they are shown again when the server has sent it.
    this.isKept = edits.length ? this.#put({ edits, state }) || this.#put({ edits, state: null })
      : attempt(() => localStorage.removeItem(this.#key))
  }
}

export function openList(path, name = new URL(path, location).href) {
  const follower = new Follower(path)
  const proposer = new Proposer(follower)
  const opening = Store.open(name)
  let isClosed = false
  opening.then((store) => {
    if (isClosed) return
    proposer.keep(store)
    follower.open()
  })
  const close = () => {
    isClosed = true
    proposer.close()
    follower.close()
    opening.then((store) => store.close())
  }
  return { follower, proposer, edits: proposer.edits, close }
}

/** Whether the browser does what it may refuse. */
function attempt(act) {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Takes a lock; what gives it back, or `null` if another page has it. */
const claim = (key, patience = 0) => navigator.locks ? new Promise((resolve) => {
  const options = patience ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true }
  const hold = (lock) => lock ? new Promise(resolve) : resolve(null)
  navigator.locks.request(key, options, hold).catch(() => resolve(null))
}) : askAround(key)

/**
 * The same where there are no locks, as without HTTPS: the page that has it says so, unless the browser has frozen it.
 *
 * Of pages that ask at the same time, the one with the least name gets it.
 */
const askAround = (key) => new Promise((resolve) => {
  const channel = new BroadcastChannel(key)
  const own = newID()
  let isHeld = false
  const end = (release) => {
    clearTimeout(timer)
    if (!release) channel.close()
    resolve(release)
  }
  const timer = setTimeout(() => {
    isHeld = true
    end(() => channel.close())
  }, 200)
  const say = (asks) => channel.postMessage({ from: own, asks, isHeld })
  channel.onmessage = ({ data }) => {
    if (!isHeld && (data.isHeld || data.from < own)) end(null)
    else if (data.asks) say(false)
  }
  say(true)
})
