import ListSupport
import Testing

@testable import Diffable

/// A state shares what it has looked up with its copies; a copy that is edited must not.
@Suite struct EditedLookupTests {
  private static let edits: [(name: String, edit: @Sendable (inout List) throws -> Void)] = [
    ("a rename by path", { $0 = $0.naming([(ItemPath(section: 0, item: 0), 10)]) }),
    ("a rename of a hidden row", { $0.rename(ItemRename(old: 2, new: 20)) }),
    (
      "another outline",
      { state in
        guard var outline = state.outline(ofSectionAt: 0) else { return }
        try outline.append([4], to: 3)
        state.exchangeOutline(outline, ofSectionAt: 0)
      }
    ),
    ("a list", { $0.exchangeRows(.list([3, 4]), ofSectionAt: 0) }),
    ("an expanded row", { $0.expandItems([1]) }),
    ("a moved row", { try $0.moveItem(3, beforeItem: 1) }),
    ("a deleted row", { $0.deleteItems([1]) }),
    ("an inserted row", { try $0.insertItems([4], afterItem: 1) }),
    ("a list instead of the outline", { try $0.removeOutline(ofSection: "tree") }),
  ]

  @Test("Lookups see the edited rows", arguments: edits.indices, [false, true])
  func lookups(edit: Int, isAskedBefore: Bool) throws {
    let outline = try Outline([1, 2, 3], levels: [0, 1, 0])
    let state = try List(outline, in: "tree")
    // A state of a history has no table; the first lookups make one for all its copies.
    let shown = state.detached
    if isAskedBefore { _ = shown.resolved }
    var edited = shown
    try Self.edits[edit].edit(&edited)
    let name = Self.edits[edit].name
    if !isAskedBefore { _ = shown.resolved }
    #expect(shown.resolved == state, "\(name)")
    #expect(edited.resolved == edited, "\(name)")
    #expect(edited.resolved.itemIdentifiers == edited.itemIdentifiers, "\(name)")
    let rows = edited.outline(ofSection: "tree")?.items ?? edited.itemIdentifiers
    for item in 1...20 {
      #expect(edited.resolved.containsItem(item) == rows.contains(item), "\(name): \(item)")
    }
  }
}
