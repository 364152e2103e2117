import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// An undo in a mirror takes back what one in the owner's process would.
@Suite("Undo of models in a mirror, and edits that wait for a row") struct MirroredUndoTests {
  typealias Batch = ModelBatch<Int, Row>
  typealias Fields = TakingBack.Fields

  struct Row: Identifiable, Codable, Equatable, Sendable {
    var id = 1
    var first = 0
    var second = 0

    init(_ fields: Fields = Fields()) { (first, second) = (fields.first, fields.second) }

    var fields: Fields { Fields(first: first, second: second) }
  }

  typealias World = OwnerAndMirror<Batch>
  typealias Headers = OwnerAndMirror<ModelBatch<CodedHeader, CodedRow>>

  fileprivate static let handlers = ModelHandlers<Int>(drop: nil) {
    (base: Row, theirs: Row, mine: Row) in
    Row(TakingBack.merged(base: base.fields, theirs: theirs.fields, mine: mine.fields))
  }

  @Test(
    "Every sequence of changes by two writers, taken back and made again", arguments: [false, true])
  func everySequence(hasHandler: Bool) throws {
    try check(hasHandler: hasHandler) {
      try World(hasHandler: hasHandler)
    } make: { deed, fields, world in
      if deed == .mine {
        try world.edit(fields)
      } else {
        try world.write { $0.setModel(Row(fields)) }
      }
    } text: { state in
      state.model(of: 1, as: Row.self).map { Self.text($0.fields) }
    }
  }

  /// The models of sections take the way of those of rows, without a function that merges them.
  @Test("Every sequence of changes of a header by two writers") func everySequenceOfHeaders() throws
  {
    try check(hasHandler: false) {
      try Headers(header: Fields())
    } make: { deed, fields, world in
      let header = Self.text(fields)
      if deed == .mine {
        try world.edit { try $0.setSectionModel(header, for: Headers.section) }
      } else {
        try world.write { try $0.setSectionModel(header, for: Headers.section) }
      }
    } text: {
      $0.sectionModel(of: Headers.section)
    }
  }

  fileprivate static func text(_ fields: Fields) -> String { "\(fields.first) \(fields.second)" }

  private func check<Batch: DeltaBatch>(
    hasHandler: Bool, in start: () throws -> OwnerAndMirror<Batch>,
    make: (TakingBack.Deed, Fields, inout OwnerAndMirror<Batch>) throws -> Void,
    text: (Snapshot<Batch.SectionID, Batch.ItemID>) -> String?
  ) throws
  where
    Batch.SectionID: Codable, Batch.ItemID: Codable, Batch.Element: Codable, Batch.Delta: Codable
  {
    for deeds in TakingBack.sequences(upTo: scoped(usual: 3, wide: 4)) {
      var (world, expected) = (try start(), TakingBack(hasHandler: hasHandler))
      let comment: Comment = "handler: \(hasHandler), \(deeds)"
      for (index, deed) in deeds.enumerated() {
        try make(deed, expected.made(by: deed, number: index + 1), &world)
        expected.make(deed, number: index + 1)
        try world.send()
      }
      for direction in [UndoDirection.undo, .undo, .redo, .redo, .undo] {
        let made = try world.list.reverse(direction, .animated)
        let contradicts = direction == .undo ? expected.undo() : expected.redo()
        #expect((made == nil) == (contradicts == nil), comment)
        #expect(made?.contradictions.conflicts.isEmpty == contradicts.map(!), comment)
        let live = Self.text(expected.live)
        #expect(text(world.list.overlay.core.snapshot) == live, comment)
        try world.send()
        #expect(text(world.server.snapshot) == live, comment)
        #expect(text(world.list.overlay.core.snapshot) == live, comment)
      }
    }
  }

  @Test("What others have written since is kept, although the mirror has not heard of it")
  func beforeTheStream() throws {
    for hasHandler in [false, true] {
      for deeds in TakingBack.sequences(upTo: scoped(usual: 3, wide: 4))
      where deeds.contains(.mine) {
        var (world, expected) = (
          try World(hasHandler: hasHandler), TakingBack(hasHandler: hasHandler)
        )
        // The mirror misses what others have done after the last change of its user.
        let last = deeds.lastIndex(of: .mine) ?? 0
        for (index, deed) in deeds.enumerated() {
          try make(deed, index + 1, &world, &expected)
          if index <= last { try world.send() }
        }
        _ = try world.list.reverse(.undo, .animated)
        _ = expected.undo()
        try world.send()
        let comment: Comment = "handler: \(hasHandler), \(deeds)"
        #expect(world.live == expected.live && world.shown == expected.live, comment)
      }
    }
  }

  @Test("What waits can be taken back, before and after a restart", arguments: [false, true])
  func waiting(isRestarted: Bool) throws {
    for hasHandler in [false, true] {
      for isDelivered in [false, true] {
        for theirs in [TakingBack.Deed.theirs, .theirsElsewhere] {
          var world = try World(hasHandler: hasHandler)
          try world.edit(Fields(first: 1))
          let fields = theirs == .theirs ? Fields(first: 2) : Fields(second: 2)
          try world.write { $0.setModel(Row(fields)) }
          if isDelivered { try world.deliver() }
          if isRestarted { try world.restart() }
          #expect(world.list.steps.next(.undo)?.name == "mine")
          #expect(try world.list.reverse(.undo, .animated)?.name == "mine")
          try world.send()
          let comment: Comment = "handler: \(hasHandler), \(isDelivered), \(theirs)"
          // What was never sent is withdrawn; of anything else the reverse is proposed.
          if !isRestarted || hasHandler && theirs == .theirsElsewhere {
            #expect(world.live == fields, comment)
          }
          #expect(world.live?.first != 1 && world.shown == world.live, comment)
        }
      }
    }
  }

  @Test(
    "Who overrules the header of another writer is told so once, whenever the mirror hears of it",
    arguments: [false, true], [false, true])
  func overruled(isDelivered: Bool, isRestarted: Bool) throws {
    var world = try Headers(header: Fields())
    let told = Told(of: world.list)
    try world.edit { try $0.setSectionModel("mine", for: Headers.section) }
    try world.write { try $0.setSectionModel("theirs", for: Headers.section) }
    if isDelivered { try world.deliver() }
    if isRestarted { try world.restart() }
    #expect(world.shownHeader == "mine")
    try world.send()
    #expect(told.conflicts == [[.section(Headers.section, .changedTwice)]])
    #expect(world.header == "mine" && world.shownHeader == "mine")
  }

  @Test("A section that a user makes again has its new header, also after undo and redo")
  func madeAgain() throws {
    var world = try Headers(header: Fields())
    try world.write { $0.snapshot.deleteSections([Headers.section]) }
    try world.deliver()
    try world.edit { draft in
      draft.appendSections([Headers.section])
      try draft.setSectionModel("mine", for: Headers.section)
    }
    try world.restart()
    try world.send()
    #expect(world.header == "mine" && world.shownHeader == "mine")
    _ = try world.list.reverse(.undo, .animated)
    try world.send()
    #expect(world.server.snapshot.numberOfSections == 0)
    _ = try world.list.reverse(.redo, .animated)
    try world.send()
    #expect(world.header == "mine" && world.shownHeader == "mine")
  }

  /// What others make of the row while an edit of it waits.
  enum Deed: CaseIterable { case delete, same }

  @Test(
    "An edit that waits for its row is stored, comes again with it, and is decided on once",
    arguments: Deed.allCases)
  func waiting(for deed: Deed) throws {
    for restarts in 0...2 {
      for isBack in [false, true] where deed != .same || !isBack {
        var world = try World(hasHandler: false)
        let told = Told(of: world.list)
        try world.edit(Fields(first: 1))
        try world.edit { draft in
          var row = Row()
          row.id = 2
          try draft.appendItems([row], toSection: 0)
        }
        let names = world.list.undecided.map(\.id)
        try world.write { draft in
          if deed == .same { draft.setModel(Row(Fields(first: 1))) } else { draft.deleteItems([1]) }
        }
        try world.deliver()
        let comment: Comment = "\(deed), \(restarts) restarts, back: \(isBack)"
        #expect(world.list.stored?.count == 2, comment)
        #expect(world.list.undecided.map(\.id) == names, comment)
        for _ in 0..<restarts {
          try world.restart()
          #expect(world.list.stored?.count == 2, comment)
          #expect(world.list.undecided.map(\.id) == names, comment)
        }
        if isBack { try world.write { try $0.appendItems([Row()], toSection: 0) } }
        try world.deliver()
        #expect(world.shown?.first == (isBack || deed == .same ? 1 : nil), comment)
        try world.send()
        #expect(world.live?.first == (isBack || deed == .same ? 1 : nil), comment)
        #expect(world.shown == world.live, comment)
        #expect(world.server.snapshot.containsItem(2), comment)
        #expect(told.ids == names, comment)
        #expect(world.list.undecided.isEmpty && world.list.stored?.count == 0, comment)
        // What made nothing is no step.
        _ = try world.list.reverse(.undo, .animated)
        #expect((world.list.steps.next(.undo)?.name == nil) == !isBack, comment)
        try world.send()
        #expect(!world.server.snapshot.containsItem(2), comment)
      }
    }
  }

  @Test("An undo says what it takes back, also after a restart", arguments: [false, true])
  func reverses(isRestarted: Bool) throws {
    var world = try World(hasHandler: false)
    try world.edit(Fields(first: 1))
    let change = try #require(world.list.undecided.first)
    let proposal = try #require(world.list.next())
    _ = try world.list.reverse(.undo, .animated)
    let undo = try #require(world.list.undecided.last)
    #expect(ProposedWrite(undo).reverses == change.id && ProposedWrite(change).reverses == nil)
    if isRestarted {
      try world.restart()
      #expect(world.list.undecided.map(\.reverses) == [nil, change.id])
    } else {
      world.list.receive(try world.accept(proposal), for: proposal.id)
    }
    #expect(world.list.steps.next(.undo)?.name == nil)
    try world.send()
    #expect(world.live == Fields())
    _ = try world.list.reverse(.redo, .animated)
    #expect(world.list.undecided.map(\.reverses) == [undo.id])
    try world.send()
    #expect(world.live == Fields(first: 1))
    #expect(world.list.steps.next(.undo)?.name == "mine")
  }

  private func make(
    _ deed: TakingBack.Deed, _ number: Int, _ world: inout World, _ expected: inout TakingBack
  ) throws {
    let fields = expected.made(by: deed, number: number)
    if deed == .mine {
      try world.edit(fields)
    } else {
      try world.write { $0.setModel(Row(fields)) }
    }
    expected.make(deed, number: number)
  }
}

extension OwnerAndMirror<MirroredUndoTests.Batch> {
  init(hasHandler: Bool) throws {
    try self.init(
      Snapshot<Int, Int>.makeKernels(models: ElementKernel(models: MirroredUndoTests.Row.self)),
      hasHandler ? MirroredUndoTests.handlers : ModelHandlers()
    ) {
      $0.appendSections([0])
      try $0.appendItems([MirroredUndoTests.Row()], toSection: 0)
    }
  }

  private func fields(_ state: Snapshot<Int, Int>) -> TakingBack.Fields? {
    state.model(of: 1, as: MirroredUndoTests.Row.self)?.fields
  }

  var live: TakingBack.Fields? { fields(server.snapshot) }
  var shown: TakingBack.Fields? { fields(list.overlay.core.snapshot) }

  /// Lets the user of the mirror set the fields.
  func edit(_ fields: TakingBack.Fields) throws {
    try edit { $0.setModel(MirroredUndoTests.Row(fields)) }
  }
}

extension OwnerAndMirror<ModelBatch<CodedHeader, CodedRow>> {
  fileprivate static var section: CodedHeader { CodedHeader(number: 1) }

  fileprivate init(header: TakingBack.Fields) throws {
    try self.init(
      Snapshot<CodedHeader, Int>.makeKernels(models: ElementKernel(models: CodedRow.self))
    ) { draft in
      draft.appendSections([Self.section])
      try draft.setSectionModel(MirroredUndoTests.text(header), for: Self.section)
      try draft.appendItems([CodedRow(id: 1)], toSection: Self.section)
    }
  }

  fileprivate var header: String? { server.snapshot.sectionModel(of: Self.section) }
  fileprivate var shownHeader: String? {
    list.overlay.core.snapshot.sectionModel(of: Self.section)
  }
}
