import Diffable
import ListSupport
import TestScope
import Testing

/// What a change shows again is shown again when the change is taken back, and when it is made again.
@Suite("Undo and redo show again what the change has shown again", .deadline)
struct TakenBackMarkTests {
  private static func source() async throws -> Source {
    let source = Source()
    try await source.update { list in
      list.appendSections(["a", "b"])
      try list.appendItems([1, 2, 3], toSection: "a")
      try list.appendItems([4], toSection: "b")
    }
    return source
  }

  /// Marks of rows are among the questions of `WorldTests`.
  @Test func `A section that a change has shown again is shown again`() async throws {
    for isReload in [false, true] {
      let source = try await Self.source()
      try await source.update(named: "Change") { list in
        try list.insertItems([9], afterItem: 2)
        if isReload { try list.reloadSections(["a"]) } else { try list.reconfigureSections(["a"]) }
      }
      try await source.update { try $0.moveSection("a", afterSection: "b") }
      for isUndo in [true, false] {
        let made = try #require(try await isUndo ? source.undo(.named) : source.redo(.named))
        let marked =
          isReload ? made.difference.sectionReloads : made.difference.sectionReconfigures
        #expect(marked == RangeSet(1..<2), "\(made)")
      }
    }
  }

  @Test func `A step of several changes shows again what each has shown again`() async throws {
    let source = try await Self.source()
    let start = await source.revision
    try await source.update(named: "One") { list in
      try list.appendItems([9], toSection: "b")
      try list.reloadItems([1])
      try list.reconfigureSections(["b"])
    }
    try await source.update { try $0.appendItems([7], toSection: "b") }
    try await source.update(named: "Two") { list in
      try list.renameItem(3, to: 30)
      try list.reconfigureItems([2])
    }
    try await source.update { try $0.renameItem(1, to: 11) }
    source.groupUndo(since: start)
    func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
    for isUndo in [true, false, true] {
      let made = try #require(try await isUndo ? source.undo(.named) : source.redo(.named))
      let difference = made.difference
      #expect(difference.itemReloads == [path(0)], "\(made)")
      #expect(difference.itemReconfigures == [path(1), path(2)], "\(made)")
      #expect(difference.itemRenames == [path(2)], "\(made)")
      #expect(difference.sectionReconfigures == RangeSet(1..<2), "\(made)")
      let list = made.finalSnapshot
      #expect(list.itemIdentifiers(inSection: "a") == [11, 2, isUndo ? 3 : 30], "\(made)")
      #expect(list.containsItem(7) && list.containsItem(9) == !isUndo, "\(made)")
    }
  }
}
