// The text of Modules/order.js. Change it there; Tests/DiffableWebTests say how it is recorded.
// swift-format-ignore-file

extension WebModule {
  static let orderText = ##"""
// Entries in one order, with their heights: the tree below `places.js`.
//
// A randomized search tree, as Martínez and Roura describe it (“Randomized binary search trees”, 1998): each entry of
// a subtree is its root with the same probability, so a path is O(log n) long for n entries, whatever happens to them.
// A node has the sums of its subtree, and its parent, so that an entry knows where it is.

/** A heading or a row. Its height is `null` as long as it was not measured. */
export class Entry {
  left = null
  right = null
  parent = null
  height = null
  // Of the subtree.
  size = 1
  rows = 0
  measured = 0
  unmeasured = 0

  constructor(id, key, isRow) {
    Object.assign(this, { id, key, isRow })
    update(this)
  }
}

const size = (entry) => (entry ? entry.size : 0)

function update(entry) {
  const { left, right, height, isRow } = entry
  entry.size = 1
  entry.rows = isRow ? 1 : 0
  entry.measured = isRow && height !== null ? height : 0
  entry.unmeasured = isRow && height === null ? 1 : 0
  for (const child of [left, right]) {
    if (!child) continue
    child.parent = entry
    entry.size += child.size
    entry.rows += child.rows
    entry.measured += child.measured
    entry.unmeasured += child.unmeasured
  }
  return entry
}

/** A tree of entries in their order: O(n). */
export function built(entries, first = 0, end = entries.length) {
  if (first >= end) return null
  const middle = (first + end) >> 1
  const entry = entries[middle]
  entry.left = built(entries, first, middle)
  entry.right = built(entries, middle + 1, end)
  entry.parent = null
  return update(entry)
}

/** The entries of one tree, and then those of another one. `random` is less than 1, and not negative. */
export function joined(left, right, random) {
  let root = left ?? right
  if (left && right) {
    const isLeft = random() * (left.size + right.size) < left.size
    root = isLeft ? left : right
    if (isLeft) root.right = joined(root.right, right, random)
    else root.left = joined(left, root.left, random)
    update(root)
  }
  if (root) root.parent = null
  return root
}

/** The trees of the first entries, as many as `count` says, and of all others. */
export function cut(root, count) {
  if (!root) return [null, null]
  const inside = size(root.left) + 1
  let [first, second] = [root, root]
  if (count >= inside) [root.right, second] = cut(root.right, count - inside)
  else [first, root.left] = cut(root.left, count)
  update(root)
  for (const tree of [first, second]) if (tree) tree.parent = null
  return [first, second]
}

/** The tree without an entry, which is one of its own then. */
export function without(root, entry, random) {
  const { left, right, parent } = entry
  const rest = joined(left, right, random)
  Object.assign(entry, { left: null, right: null, parent: null })
  update(entry)
  if (!parent) return rest
  if (parent.left === entry) parent.left = rest
  else parent.right = rest
  refresh(parent)
  return root
}

/** Works out the sums again, from an entry up. */
export function refresh(entry) {
  for (let next = entry; next; next = next.parent) update(next)
}

/** The entry at a position. */
export function at(root, position) {
  let entry = root
  while (entry) {
    const before = size(entry.left)
    if (position < before) entry = entry.left
    else if (position === before) return entry
    else [entry, position] = [entry.right, position - before - 1]
  }
  return null
}

/** The row with a number, or the heading with one, and its position. */
export function ranked(root, number, isRow) {
  let [entry, position] = [root, 0]
  while (entry) {
    const { left, right } = entry
    const before = left ? (isRow ? left.rows : left.size - left.rows) : 0
    if (number < before) {
      entry = left
      continue
    }
    position += size(left)
    if (entry.isRow !== isRow) number -= before
    else if (number === before) return { entry, position }
    else number -= before + 1
    position += 1
    entry = right
  }
  return null
}

/** What is before an entry: how many entries and rows, the measured heights, and how many rows were not measured. */
export function before(entry) {
  const sums = { size: 0, rows: 0, measured: 0, unmeasured: 0 }
  const add = (tree) => {
    if (tree) for (const name of Object.keys(sums)) sums[name] += tree[name]
  }
  add(entry.left)
  for (let next = entry; next.parent; next = next.parent) {
    const { parent } = next
    if (parent.right !== next) continue
    add(parent.left)
    sums.size += 1
    if (!parent.isRow) continue
    sums.rows += 1
    if (parent.height === null) sums.unmeasured += 1
    else sums.measured += parent.height
  }
  return sums
}

"""##
}
