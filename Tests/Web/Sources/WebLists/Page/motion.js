// How things come, go and move; nothing moves for those who ask for that.

const still = matchMedia("(prefers-reduced-motion: reduce)")
const timing = { duration: 280, easing: "cubic-bezier(0.2, 0, 0, 1)" }
/** How long what goes can still be seen, in milliseconds. */
const going = 110

/** Where a movement that has not ended has an element now, beside its place. */
export function offset(element) {
  if (!element.getAnimations().length) return 0
  return new DOMMatrixReadOnly(getComputedStyle(element).transform).m42
}

/**
 * Lets an element come to its place from another one.
 *
 * It is above what stays, comes and goes, and has a ground of its own, so no text is seen through another.
 */
export function slide(element, x, y) {
  if (still.matches || (!x && !y)) return
  for (const animation of element.getAnimations()) animation.cancel()
  const from = `translate(${x}px, ${y}px)`
  element.animate([{ transform: from, zIndex: 1 }, { transform: "none", zIndex: 1 }], timing)
}

/** Lets an element appear when what was at its place has gone. */
export function appear(element) {
  if (still.matches) return
  const late = { ...timing, delay: going, duration: timing.duration - going, fill: "backwards" }
  element.animate([{ opacity: 0, transform: "scale(0.97)" }, {}], late)
}

/** Lets an element go, and removes it. */
export function vanish(element, y = 0) {
  // Who reads the page otherwise should not find what is no longer there.
  element.removeAttribute("role")
  element.removeAttribute("tabindex")
  element.removeAttribute("data-key")
  element.ariaHidden = "true"
  if (still.matches) return element.remove()
  const end = y ? `translateY(${y}px)` : "scale(0.97)"
  const keyframes = [{ zIndex: 0 }, { opacity: 0, transform: end, zIndex: 0 }]
  element.animate(keyframes, { ...timing, duration: going, fill: "forwards" }).finished
    .finally(() => element.remove()).catch(() => {})
}
