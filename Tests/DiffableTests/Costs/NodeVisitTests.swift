import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// What an operation costs, as the number of visits of tree nodes: it may grow as the depth of the
/// trees does, and not as the list.
@Suite(
  .deadline,
  .enabled(if: NodeVisits.areCounted && !checksInvariants, "the checks visit all nodes"))
struct NodeVisitTests {
  // MARK: Lists

  /// An edit of one row in the middle or at an end, for each edit that there is.
  enum Edit: String, CaseIterable {
    case append, prepend, insert, delete, moveNear, moveFar, moveToOtherSection, reconfigure, rename

    func apply(to list: inout Snapshot<Folder, Int>, of size: Int) throws {
      let middle = size / 2
      switch self {
      case .append: try list.appendItems([-1], toSection: 0)
      case .prepend: try list.insertItems([-1], beforeItem: 0)
      case .insert: try list.insertItems([-1], beforeItem: middle)
      case .delete: list.deleteItems([middle])
      case .moveNear: try list.moveItem(middle, afterItem: middle + 1)
      case .moveFar: try list.moveItem(size - 1, beforeItem: 0)
      case .moveToOtherSection: try list.moveItem(middle, toSection: 1)
      case .reconfigure: try list.reconfigureItems([middle])
      case .rename: try list.renameItem(middle, to: -1)
      }
    }
  }

  @Test(arguments: Edit.allCases)
  func `An edit of one row, its undo and its batch`(_ edit: Edit) async throws {
    try await expectSameVisits("\(edit)") { size in
      let source = Notes()
      try await source.apply(
        (0..<size).map { Note(id: $0) }, section: \.folder, sections: [Folder(0), Folder(1)])
      var batches = await source.changes()
      return try await NodeVisits.counted {
        try await source.update { draft in
          try edit.apply(to: &draft.snapshot, of: size)
          if draft.snapshot.containsItem(-1) { draft.setModel(Note(id: -1)) }
        }
        let batch = try #require(await batches.next(isolation: nil))
        #expect(batch.models.count + batch.removedItems.count <= 2)
        if edit != .reconfigure { #expect(try await source.undo() != nil) }
      }
    }
  }

  @Test func `Another model of one row, and undoing it`() async throws {
    try await expectSameVisits("a model") { size in
      let source = Notes()
      try await source.apply((0..<size).map { Note(id: $0) }, section: \.folder)
      return try await NodeVisits.counted {
        try await source.setModel(Note(id: size / 2, text: 1))
        #expect(try await source.undo() != nil)
        #expect(await source.model(for: size / 2) == Note(id: size / 2))
      }
    }
  }

  @Test func `Applying an edited snapshot of many sections`() async throws {
    try await expectSameVisits("an apply", sizes: [500, 8_000]) { size in
      let source = Notes()
      try await source.apply(
        (0..<size).map { Note(id: $0, folder: Folder($0)) }, section: \.folder)
      var list = await source.snapshot
      try list.moveItem(0, toSection: Folder(size / 2))
      return try await NodeVisits.counted {
        try await source.apply(list)
        #expect(await source.snapshot.items(inSection: Folder(size / 2)).count == 2)
      }
    }
  }

  // MARK: Outlines

  /// Ten rows below a root, each of which hides a tenth of the others.
  private func outline(of size: Int) throws -> Outline<Int> {
    var outline = try Outline([0])
    try outline.append(1...10, to: 0)
    for parent in 1...10 {
      try outline.append((0..<size / 10).map { parent * 1_000_000 + $0 }, to: parent)
    }
    return outline
  }

  /// Rows each of which is below the one before.
  private func chain(of size: Int) throws -> Outline<Int> {
    try Outline(Array(0..<size), levels: Array(0..<size))
  }

  @Test func `Expanding and collapsing a row of models that hides many`() async throws {
    try await expectSameVisits("folding") { size in
      let source = Notes()
      let outline = try outline(of: size)
      try await source.update { draft in
        draft.snapshot.appendSections([0])
        try draft.snapshot.setOutline(outline, forSection: 0)
        draft.setModels(outline.items.map { Note(id: $0) })
      }
      var batches = await source.changes()
      return try await NodeVisits.counted {
        try await source.updateOrder { $0.expandItems([0]) }
        #expect(await batches.next(isolation: nil)?.models.count == 11)
        try await source.updateOrder { $0.collapseItems([0]) }
        let batch = try #require(await batches.next(isolation: nil))
        #expect(batch.models.count == 1 && batch.removedItems.isEmpty, "its sign has changed")
      }
    }
  }

  @Test func `Expanding and collapsing the first row of a chain`() async throws {
    try await expectSameVisits("a chain", sizes: [500, 10_000]) { size in
      var list = try Snapshot(chain(of: size), in: 0)
      // Makes the lookup table.
      list.expandItems([1])
      list.collapseItems([1])
      return await NodeVisits.counted {
        list.expandItems([0])
        #expect(list.numberOfItems == 2)
        list.collapseItems([0])
        #expect(list.numberOfItems == 1)
      }
    }
  }

  @Test func `Editing a visible row of an outline that hides many`() async throws {
    try await expectSameVisits("an edit") { size in
      let source = DataSourceActor<Int, Int>()
      var list = try Snapshot(outline(of: size), in: 0)
      list.expandItems([0])
      try await source.apply(list)
      return try await NodeVisits.counted {
        try await source.update { try $0.insertItems([-1], afterItem: 4) }
        try await source.update { try $0.moveItem(-1, afterItem: 9) }
        try await source.update { $0.deleteItems([-1]) }
        try await source.update { try $0.renameItem(7, to: -7) }
      }
    }
  }

  /// Many roots, of which one in the middle has two children.
  private func roots(_ size: Int) throws -> Snapshot<Int, Int> {
    var outline = try Outline(0..<size)
    try outline.append([-1, -2], to: size / 2)
    var list = try Snapshot(outline, in: 0)
    // Makes the lookup table.
    list.expandItems([0])
    return list
  }

  @Test func `Moving a row after all roots`() async throws {
    try await expectSameVisits("a move") { size in
      var list = try roots(size)
      return try await NodeVisits.counted {
        try list.moveItem(3, toSection: 0)
        #expect(list.items(inSection: 0).last == 3)
      }
    }
  }

  @Test func `Replacing and adding children of a row where another one is marked`() async throws {
    try await expectSameVisits("children") { size in
      var list = try roots(size)
      try list.reconfigureItems([1, -1])
      return try await NodeVisits.counted {
        try list.replaceItems(childrenOf: size / 2, using: Outline([-2, -3]))
        try list.appendItems([-4], toItem: size / 2)
        #expect(list.reconfiguredItemIdentifiers == [1])
      }
    }
  }

  @Test func `Editing a list beside many trees whose children are loaded on demand`() async throws {
    try await expectSameVisits("an edit", sizes: [500, 8_000]) { size in
      let source = DataSourceActor<Int, Int>(childrenProvider: { _ in Outline() })
      var list = Snapshot<Int, Int>()
      list.appendSections(0...size)
      try list.appendItems([0], toSection: 0)
      for section in 1...size {
        var outline = try Outline([section])
        outline.setChildrenUnloaded(of: [section])
        try list.setOutline(outline, forSection: section)
      }
      list.expandItems([size, size / 2])
      #expect(list.loadingItems == [size / 2, size])
      list.collapseItems([size, size / 2])
      #expect(list.loadingItems == [])
      try await source.apply(list)
      return try await NodeVisits.counted {
        try await source.update { try $0.appendItems([-1], toSection: 0) }
      }
    }
  }

  // MARK: Merges

  @Test func `Undoing a fold although others have inserted a row`() async throws {
    try await expectSameVisits("undo") { size in
      let source = DataSourceActor<Int, Int>()
      try await source.apply(Snapshot(outline(of: size), in: 0))
      try await source.update(named: "Expand") { $0.expandItems([0]) }
      try await source.update { try $0.insertItems([-1], afterItem: 4) }
      return try await NodeVisits.counted {
        let undone = try await source.undo(.named)
        #expect(undone?.finalSnapshot.numberOfItems == 1)
      }
    }
  }

  @Test(arguments: [false, true])
  func `Undo beside many trees, although others have inserted a row`(isFold: Bool) async throws {
    try await expectSameVisits("undo", sizes: [500, 8_000]) { size in
      let source = DataSourceActor<Int, Int>()
      var list = Snapshot<Int, Int>()
      list.appendSections(0...size)
      try list.appendItems([0], toSection: 0)
      for section in 1...size {
        try list.setOutline(Outline([section, -section], levels: [0, 1]), forSection: section)
      }
      try await source.apply(list)
      let row = size + 1
      try await source.update(named: "Mine") { draft in
        if isFold {
          draft.expandItems([size / 2])
        } else {
          try draft.appendItems([row], toSection: 0)
        }
      }
      try await source.update { try $0.appendItems([row + 1], toSection: 0) }
      return try await NodeVisits.counted {
        let undone = try #require(try await source.undo(.named)).finalSnapshot
        #expect(undone.items(inSection: 0).elementsEqual([0, row + 1]))
        #expect(undone.numberOfItems == size + 2)
      }
    }
  }

  @Test func `A moved section of many, into a list that has none of them any more`() async throws {
    try await expectSameVisits("a section", sizes: [200, 1_600]) { size in
      var base = Snapshot<Int, Int>()
      base.appendSections(0..<size)
      var moved = base
      // Each of them is between two others that stay.
      for section in stride(from: 1, to: size - 2, by: 4) {
        try moved.moveSection(section, afterSection: section + 2)
        try moved.moveSection(section + 2, beforeSection: section + 1)
      }
      let visits = try await NodeVisits.counted {
        let merge = try Snapshot<Int, Int>().merging(moved, basedOn: base)
        #expect(merge.snapshot.numberOfSections == 0 && merge.conflicts.count == size / 2)
      }
      return visits / size
    }
  }
}
