import Diffable
import ListSupport
import TestScope
import Testing

/// Each author of a list takes back what is theirs.
@Suite(.deadline)
struct AuthoredSourceTests {
  private typealias List = ModelSource<SingleSection, Note>

  /// What an author does to a row of their own.
  private enum Act: CaseIterable {
    case write, undo, redo
  }

  @Test func `Every sequence of two authors is two histories, one of each`() async throws {
    let steps = ["Ann", "Ben"].flatMap { author in Act.allCases.map { (author, $0) } }
    let length = scoped(usual: 4, wide: 5, long: 6)
    let count = (0..<length).reduce(1) { count, _ in count * steps.count }
    for number in 0..<count {
      var (rest, program) = (number, [(author: String, act: Act)]())
      for _ in 0..<length {
        program.append(steps[rest % steps.count])
        rest /= steps.count
      }
      try await run(program)
    }
  }

  private func run(_ program: [(author: String, act: Act)]) async throws {
    let list = List()
    try await list.apply([Note(id: 1), Note(id: 2)])
    var histories: [String: (undo: [Int], redo: [Int])] = ["Ann": ([], []), "Ben": ([], [])]
    for (step, (author, act)) in program.enumerated() {
      let comment: Comment = "\(program), step \(step)"
      let row = author == "Ann" ? 1 : 2
      var (undo, redo) = histories[author] ?? ([], [])
      // Each request of a user may make a source of its own.
      let mine = list.authored(by: author)
      switch act {
      case .write:
        undo.append(step + 1)
        redo = []
        try await mine.update(named: "\(step + 1)") { try $0.update(row) { $0.title = step + 1 } }
      case .undo:
        let undone = try await mine.undo()
        #expect(undone?.name == undo.last.map { "\($0)" }, comment)
        if let last = undo.popLast() { redo.append(last) }
      case .redo:
        let redone = try await mine.redo()
        #expect(redone?.name == redo.last.map { "\($0)" }, comment)
        if let last = redo.popLast() { undo.append(last) }
      }
      histories[author] = (undo, redo)
      for (row, author) in [(1, "Ann"), (2, "Ben")] {
        let (undo, redo) = histories[author] ?? ([], [])
        let list = list.authored(by: author)
        #expect(await list.element(for: row)?.title == undo.last ?? 0, comment)
        #expect(list.nextUndo()?.name == undo.last.map { "\($0)" }, comment)
        #expect(list.nextRedo()?.name == redo.last.map { "\($0)" }, comment)
      }
    }
  }

  /// Changes of one row, and of its neighbourhood.
  private typealias Edit = @Sendable (inout ModelDraft<SingleSection, Note>) throws -> Void
  private static let ofAnn: [Edit] = [
    { try $0.update(1) { $0.title = 7 } }, { $0.deleteItems([1]) },
    { try $0.moveItem(1, afterItem: 2) }, { try $0.insertItems([Note(id: 8)], beforeItem: 1) },
    { try $0.renameItem(1, to: Note(id: 6)) },
  ]
  private static let ofBen: [Edit] = [
    { try $0.update(3) { $0.title = 9 } }, { $0.deleteItems([3]) },
    { try $0.moveItem(3, afterItem: 4) }, { try $0.insertItems([Note(id: 9)], afterItem: 4) },
    { try $0.renameItem(3, to: Note(id: 5)) },
  ]

  @Test func `Undo leaves what the other author has done, before and since`() async throws {
    // The row between theirs is nobody's.
    let start = [1, 2, 7, 3, 4].map { Note(id: $0) }
    for (anns, bens, isFirst) in Self.ofAnn.indices.flatMap({ ann in
      Self.ofBen.indices.flatMap { ben in [(ann, ben, true), (ann, ben, false)] }
    }) {
      let comment: Comment = "\(anns), \(bens), \(isFirst)"
      let (list, bensAlone, annsAlone) = (List(), List(), List())
      for list in [list, bensAlone, annsAlone] { try await list.apply(start) }
      try await annsAlone.update(Self.ofAnn[anns])
      try await bensAlone.update(Self.ofBen[bens])
      let (ann, ben) = (list.authored(by: "Ann"), list.authored(by: "Ben"))
      if isFirst { try await ann.update(named: "Anns", Self.ofAnn[anns]) }
      try await ben.update(named: "Bens", Self.ofBen[bens])
      if !isFirst { try await ann.update(named: "Anns", Self.ofAnn[anns]) }
      let both = await list.elements

      try await ann.undo()
      #expect(await list.elements == bensAlone.elements, comment)
      #expect(ben.nextUndo()?.name == "Bens" && ann.nextUndo() == nil, comment)
      try await ann.redo()
      #expect(await list.elements == both, comment)
      try await ben.undo()
      #expect(await list.elements == annsAlone.elements, comment)
      try await ann.undo()
      #expect(await list.elements == start, comment)
    }
  }

  @Test func `Drags, folds and edits of the order have their author, if they have a name`()
    async throws
  {
    let list = DataSourceActor<String, Int>()
    try await list.update { snapshot in
      snapshot.appendSections(["list", "tree"])
      try snapshot.appendItems([1, 2, 3], toSection: "list")
      var outline = try Outline([10])
      try outline.append([11], to: 10)
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

  @Test func `A step of an author is one of nobody else`() async throws {
    let list = List()
    try await list.apply([Note(id: 1), Note(id: 2)])
    let (ann, ben) = (list.authored(by: "Ann"), list.authored(by: "Ben"))
    let start = await list.revision
    for title in 1...2 {
      try await ann.update(named: "Ann \(title)") { try $0.update(1) { $0.title = title } }
      try await ben.update(named: "Ben \(title)") { try $0.update(2) { $0.title = title } }
    }
    ann.groupUndo(since: start)
    try await ann.undo()
    #expect(await list.elements.map(\.title) == [0, 2])
    try await ben.undo()
    #expect(await list.elements.map(\.title) == [0, 1])
    try await ann.redo()
    #expect(await list.elements.map(\.title) == [2, 1])
    // The list as a whole has all changes, one by one.
    try await list.undo(.named)
    try await list.undo(.named)
    #expect(await list.elements.map(\.title) == [0, 2])
  }

  @Test func `The history of the whole list takes back the changes of authors as well`()
    async throws
  {
    let list = List()
    try await list.apply([Note(id: 1)])
    let ann = list.authored(by: "Ann")
    try await ann.update(named: "Rename") { try $0.update(1) { $0.title = 1 } }
    try await list.undo()
    #expect(ann.nextUndo() == nil && ann.nextRedo()?.name == "Rename")
    try await ann.redo()
    #expect(await list.elements == [Note(id: 1, title: 1)])
    #expect(try await list.undo(.author("Ann"))?.name == "Rename")
    #expect(try await list.undo(.author("Ben")) == nil)
  }

  @Test func `A history that has forgotten the changes of an author has nothing to take back`()
    async throws
  {
    let list = List(options: SourceOptions(history: 3))
    try await list.apply([Note(id: 1), Note(id: 2)])
    let (ann, ben) = (list.authored(by: "Ann"), list.authored(by: "Ben"))
    try await ann.update(named: "Rename") { try $0.update(1) { $0.title = 1 } }
    for title in 1...2 {
      try await ben.update(named: "\(title)") { try $0.update(2) { $0.title = title } }
      #expect(ann.nextUndo()?.name == "Rename")
    }
    try await ben.update(named: "3") { try $0.update(2) { $0.title = 3 } }
    #expect(ann.nextUndo() == nil)
    #expect(try await ann.undo() == nil)
    #expect(ben.nextUndo()?.name == "3")
  }
}
