package import Diffable

/// The items that a view has told its data source to expect.
package struct PrefetchedItems: Sendable {
  private var ids: Set<Int> = []

  package init() {}

  /// Forgets all but some items.
  package mutating func keep(_ remaining: Set<Int>) { ids.formIntersection(remaining) }

  /// Takes note of what lies near the screen; answers what is new, and what no longer comes.
  package mutating func update(
    near: [ItemPath], besides shown: some Collection<Int>, in list: ShownList
  ) -> (new: [ItemPath], gone: [ItemPath]) {
    let shown = Set(shown)
    let near = near.compactMap(list.id(at:)).filter { !shown.contains($0) }
    let former = ids
    ids = Set(near)
    return (
      near.filter { !former.contains($0) }.compactMap(list.path(of:)).sorted(),
      former.subtracting(near).subtracting(shown).compactMap(list.path(of:)).sorted()
    )
  }
}
