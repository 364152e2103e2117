// Cards of a board under the pointer, from column to column.

import { made } from "./elements.js"

/** How far the pointer goes before a card is dragged, in pixels. */
const threshold = 6
/** How near the edge of the board the pointer makes it scroll, in pixels, and how many it scrolls in a frame. */
const [edge, fastest] = [56, 14]

export class Dragging {
  #panel
  #drop
  #marker = made("li", "marker")

  /** `drop` gets the item and its new place. */
  constructor(panel, drop) {
    ;[this.#panel, this.#drop] = [panel, drop]
    this.#marker.ariaHidden = "true"
  }

  /** A pointer is pressed on a card: a finger drags its grip, and scrolls elsewhere. */
  begin(event, card, item) {
    if (event.button !== 0 || event.target.closest("button, input, label")) return
    if (event.pointerType !== "mouse" && !event.target.closest(".grip")) return
    const start = { x: event.clientX, y: event.clientY }
    const ends = new AbortController()
    const options = { signal: ends.signal }
    let [image, place, pointer, frame] = [null, null, event, 0]
    const finish = (isDropped) => {
      ends.abort()
      cancelAnimationFrame(frame)
      image?.remove()
      this.#marker.remove()
      card.classList.remove("dragged")
      if (isDropped && place) this.#drop(item, place)
    }
    // Other columns may be out of sight: the board scrolls while the pointer is at its edge.
    const follow = () => {
      if (this.#scroll(pointer)) place = this.#place(pointer, card)
      frame = requestAnimationFrame(follow)
    }
    // Another finger is none of its business.
    const when = (act) => (other) => { if (other.pointerId === event.pointerId) act(other) }
    addEventListener("pointermove", when((move) => {
      const [x, y] = [move.clientX - start.x, move.clientY - start.y]
      if (!image && Math.hypot(x, y) < threshold) return
      pointer = move
      if (!image) {
        image = this.#image(card)
        card.classList.add("dragged")
        card.focus({ preventScroll: true })
        frame = requestAnimationFrame(follow)
      }
      image.style.translate = `${x}px ${y}px`
      place = this.#place(move, card)
    }), options)
    addEventListener("pointerup", when(() => finish(image !== null)), options)
    addEventListener("pointercancel", when(() => finish(false)), options)
    addEventListener("keydown", (press) => {
      if (press.key === "Escape") finish(false)
    }, options)
  }

  /** Scrolls towards a pointer that is near an edge; returns whether anything has moved. */
  #scroll({ clientX, clientY }) {
    const { left, top, right, bottom } = this.#panel.getBoundingClientRect()
    const { scrollLeft, scrollTop } = this.#panel
    const step = (low, high, value) => {
      const beyond = Math.max(0, value - high + edge) - Math.max(0, low + edge - value)
      return Math.round(Math.max(-1, Math.min(1, beyond / edge)) * fastest)
    }
    this.#panel.scrollBy({
      left: step(left, right, clientX), top: step(top, bottom, clientY), behavior: "instant",
    })
    return this.#panel.scrollLeft !== scrollLeft || this.#panel.scrollTop !== scrollTop
  }

  /** What follows the pointer. */
  #image(card) {
    const { left, top, width } = card.getBoundingClientRect()
    const image = card.cloneNode(true)
    image.removeAttribute("data-key")
    image.ariaHidden = "true"
    image.classList.add("flying")
    Object.assign(image.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
    this.#panel.append(image)
    return image
  }

  /** Where the card would be dropped, as an edit has it; shows it. */
  #place({ clientX, clientY }, dragged) {
    const lanes = [...this.#panel.querySelectorAll(".lane")]
    const holds = (lane) => {
      const { left, right, top, bottom } = lane.getBoundingClientRect()
      return left <= clientX && clientX < right && top <= clientY && clientY < bottom
    }
    const lane = lanes.find(holds)
    if (!lane) {
      this.#marker.remove()
      return null
    }
    const cards = [...lane.querySelectorAll("[data-key]:not(.refused)")].filter((card) => card !== dragged)
    const middle = (card) => {
      const { top, height } = card.getBoundingClientRect()
      return top + height / 2
    }
    const next = cards.findIndex((card) => middle(card) > clientY)
    const index = next < 0 ? cards.length : next
    lane.querySelector(".cards").insertBefore(this.#marker, cards[index] ?? null)
    return { section: JSON.parse(lane.dataset.section), after: cards[index - 1]?.dataset.key ?? null }
  }
}
