// How things come, go and move; nothing moves for those who ask for that.

const still = matchMedia("(prefers-reduced-motion: reduce)")
const timing = { duration: 280, easing: "cubic-bezier(0.2, 0, 0, 1)" }

/** Where a movement that has not ended has an element now, beside its place. */
export function offset(element) {
  if (!element.getAnimations().length) return 0
  return new DOMMatrixReadOnly(getComputedStyle(element).transform).m42
}

/** Lets an element come to its place from another one. */
export function slide(element, x, y) {
  if (still.matches || (!x && !y)) return
  element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], timing)
}

/** Lets an element appear. */
export function appear(element) {
  if (still.matches) return
  element.animate([{ opacity: 0, transform: "scale(0.97)" }, {}], timing)
}

/** Lets an element go, and removes it. */
export function vanish(element, y = 0) {
  // Who reads the page otherwise should not find what is no longer there.
  element.removeAttribute("role")
  element.removeAttribute("tabindex")
  element.removeAttribute("data-key")
  element.ariaHidden = "true"
  if (still.matches) return element.remove()
  const end = y ? { transform: `translateY(${y}px)`, opacity: 0 } : { opacity: 0, transform: "scale(0.97)" }
  element.animate([{}, end], { ...timing, fill: "forwards" }).finished
    .finally(() => element.remove()).catch(() => {})
}
