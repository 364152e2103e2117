// Elements, and their order.

export const made = (name, className, content) => {
  const element = document.createElement(name)
  element.className = className
  if (content !== undefined) element.textContent = content
  return element
}

/** A number of things, in words: “1 row”, “10,000 rows”. */
export const counted = (count, unit) => `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`

/** Gives an element these children in this order, and moves as few as needed where they are in order. */
export function arrange(parent, children) {
  let next = parent.firstElementChild
  for (const child of children) {
    if (child === next) {
      next = next.nextElementSibling
    } else if (child.isConnected && parent.moveBefore) {
      parent.moveBefore(child, next)
    } else {
      parent.insertBefore(child, next)
    }
  }
}
