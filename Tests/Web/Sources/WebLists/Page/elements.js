// Elements, and their order.

export const made = (name, className, content) => {
  const element = document.createElement(name)
  element.className = className
  if (content !== undefined) element.textContent = content
  return element
}

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
