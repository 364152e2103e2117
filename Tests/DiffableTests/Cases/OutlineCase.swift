import Diffable
import DiffableTesting

/// A table row for an outline: edits, and what comes of them.
struct OutlineCase: Decodable, Sendable {
  let name: String
  let ops: [[CaseValue]]
  let expected: Expected
  /// What the peer says of single operations, by their index.
  let opErrors: [String: String]?

  struct Expected: Decodable, Sendable {
    let items: [String]?
    let rootItems: [String]?
    let visibleItems: [String]?
    let visibleCount: Int?
    let children: [String: [String]]?
    let parent: [String: String?]?
    let indexInParent: [String: Int]?
    let level: [String: Int]?
    let expanded: [String: Bool]?
    let visible: [String: Bool]?
    let contains: [String: Bool]?
    let pendingReloads: [String]?
  }
}

extension OutlineCase {
  /// Performs an operation on the only section of a snapshot.
  static func perform(
    _ operation: [CaseValue], on snapshot: inout Snapshot<String, String>
  ) throws {
    let (first, second) = (
      operation.dropFirst().first ?? .null, operation.dropFirst(2).first ?? .null
    )
    var outline = snapshot.outline(ofSection: "s") ?? Outline()
    let edit: OutlineEdit<String>
    switch (operation.first?.text, first.texts, first.text, second.text) {
    case ("append", let new?, _, let parent): edit = .append(new, parent)
    case ("insertBefore", let new?, _, let anchor?): edit = .insertBefore(new, anchor)
    case ("insertAfter", let new?, _, let anchor?): edit = .insertAfter(new, anchor)
    case ("delete", let gone?, _, _): edit = .delete(gone)
    case ("expand", let items?, _, _): return snapshot.expandItems(items)
    case ("collapse", let items?, _, _): return snapshot.collapseItems(items)
    case ("moveBefore", _, let item?, let anchor?): edit = .moveBefore(item, anchor)
    case ("moveAfter", _, let item?, let anchor?): edit = .moveAfter(item, anchor)
    case ("reload", let items?, _, _): return try snapshot.reloadItems(items)
    case ("subSnapshot", _, let parent?, _):
      return try snapshot.setOutline(
        outline.outline(of: parent, includingParent: second == .truth(true)), forSection: "s")
    default: throw UnknownCaseWord(word: operation)
    }
    try edit.apply(to: &outline)
    try snapshot.setOutline(outline, forSection: "s")
  }
}
