/// Marked identifiers, in the order they were marked.
package struct OrderedMarks<ID: Hashable & Sendable>: Sendable {
  var marked = IdentifierSet<ID>()

  init() {}

  package var isEmpty: Bool { marked.isEmpty }

  package var count: Int { marked.count }

  /// The marked identifiers, the first marked first.
  ///
  /// - Complexity: O(m) for m marks.
  package var inOrder: [ID] { marked.inOrder }

  func contains(_ id: ID) -> Bool { !isEmpty && marked.contains(id) }

  mutating func insert(_ id: ID) { marked.insert(id) }

  mutating func remove(_ id: ID) {
    guard !isEmpty else { return }
    marked.remove(id)
  }
}
