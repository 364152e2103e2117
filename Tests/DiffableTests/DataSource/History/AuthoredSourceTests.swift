import Diffable
import ListSupport
import TestScope
import Testing

/// Each author of a list takes back what is theirs.
@Suite(.deadline)
struct AuthoredSourceTests {
  private typealias List = ModelSource<SingleSection, Note>

  @Test func `Drags, folds and edits of the order have their author, if they have a name`()
    async throws
  {
    let list = DataSourceActor<String, Int>()
    try await list.update { snapshot in
      snapshot.appendSections(["list", "tree"])
      try snapshot.appendItems([1, 2, 3], toSection: "list")
      let outline = try Outline([10, 11], levels: [0, 1])
      try snapshot.setOutline(outline, forSection: "tree")
    }
    let (ann, ben) = (list.authored(by: "Ann"), list.authored(by: "Ben"))
    let start = await ann.snapshot
    try await ann.updateOrder(named: "Move") { try $0.moveItem(1, afterItem: 2) }
    var drag = try #require(await ann.beginReorder([3]))
    _ = try drag.proposed(to: .before(2))
    try await drag.commit(named: "Drag")
    try await ann.expandItem(10, named: "Unfold")
    try await ann.updateOrder { $0.deleteItems([2]) }
    #expect(ben.nextUndo() == nil)
    for name in ["Unfold", "Drag", "Move"] {
      #expect(ann.nextUndo()?.name == name)
      try await ann.undo()
    }
    #expect(ann.nextUndo() == nil)
    var rest = start
    rest.deleteItems([2])
    #expect(await list.snapshot == rest)
  }

  @Test(
    "What takes back changes of two authors at once is for neither to make again",
    arguments: [false, true])
  func ofBoth(isReverted: Bool) async throws {
    let list = List()
    try await list.apply([Note(id: 1), Note(id: 2)])
    let authors = ["Ann", "Ben"].map(list.authored(by:))
    let start = await list.revision
    var changes: [UndoableChange?] = []
    for (row, author) in zip(1..., authors) {
      changes.append(
        try await author.update(named: author.author) { try $0.update(row) { $0.title = row } }
          .change)
    }
    if isReverted {
      try await list.revertAll(changes)
    } else {
      list.groupUndo(since: start)
      try await list.undo(.named)
    }
    #expect(await list.elements.map(\.title) == [0, 0])
    for author in authors {
      #expect(author.nextUndo() == nil && author.nextRedo() == nil)
      #expect(try await author.redo() == nil)
    }
    try await list.redo(.named)
    #expect(await list.elements.map(\.title) == [1, 2])
    for author in authors { #expect(author.nextUndo() == nil && author.nextRedo() == nil) }
  }
}
