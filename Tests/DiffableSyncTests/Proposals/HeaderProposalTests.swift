import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// The models of sections take the way of those of rows, without a function that merges them.
@Suite("Headers that a user changes in a mirror") struct HeaderProposalTests {
  typealias Batch = ModelBatch<CodedHeader, CodedRow>
  typealias World = OwnerAndMirror<Batch>
  typealias Fields = TakingBack.Fields

  @Test("Every sequence of changes by two writers, taken back and made again")
  func everySequence() throws {
    for deeds in TakingBack.sequences(upTo: scoped(usual: 3, wide: 4)) {
      var (world, expected) = (try World(header: Fields()), TakingBack(hasHandler: false))
      let comment: Comment = "\(deeds)"
      for (index, deed) in deeds.enumerated() {
        let header = World.text(expected.made(by: deed, number: index + 1))
        if deed == .mine {
          try world.edit { try $0.setSectionModel(header, for: World.section) }
        } else {
          try world.write { try $0.setSectionModel(header, for: World.section) }
        }
        expected.make(deed, number: index + 1)
        try world.send()
      }
      for direction in [UndoDirection.undo, .undo, .redo, .redo, .undo] {
        let made = try world.list.reverse(direction, .animated)
        let contradicts = direction == .undo ? expected.undo() : expected.redo()
        #expect((made == nil) == (contradicts == nil), comment)
        #expect(made?.contradictions.conflicts.isEmpty == contradicts.map(!), comment)
        #expect(world.shownHeader == World.text(expected.live), comment)
        try world.send()
        #expect(world.header == World.text(expected.live), comment)
        #expect(world.shownHeader == world.header, comment)
      }
    }
  }

  @Test(
    "Who overrules the header of another writer is told so once, whenever the mirror hears of it",
    arguments: [false, true], [false, true])
  func overruled(isDelivered: Bool, isRestarted: Bool) throws {
    var world = try World(header: Fields())
    let told = Told(of: world.list)
    try world.edit { try $0.setSectionModel("mine", for: World.section) }
    try world.write { try $0.setSectionModel("theirs", for: World.section) }
    if isDelivered { try world.deliver() }
    if isRestarted { try world.restart() }
    #expect(world.shownHeader == "mine")
    try world.send()
    #expect(told.conflicts == [[.section(World.section, .changedTwice)]])
    #expect(world.header == "mine" && world.shownHeader == "mine")
  }

  @Test("A section that a user makes again has its new header, also after undo and redo")
  func madeAgain() throws {
    var world = try World(header: Fields())
    try world.write { $0.snapshot.deleteSections([World.section]) }
    try world.deliver()
    try world.edit { draft in
      draft.appendSections([World.section])
      try draft.setSectionModel("mine", for: World.section)
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
}

extension OwnerAndMirror<HeaderProposalTests.Batch> {
  fileprivate static var section: CodedHeader { CodedHeader(number: 1) }

  fileprivate static func text(_ fields: TakingBack.Fields) -> String {
    "\(fields.first) \(fields.second)"
  }

  fileprivate init(header: TakingBack.Fields) throws {
    try self.init(
      Snapshot<CodedHeader, Int>.makeKernels(models: ElementKernel(models: CodedRow.self))
    ) { draft in
      draft.appendSections([Self.section])
      try draft.setSectionModel(Self.text(header), for: Self.section)
      try draft.appendItems([CodedRow(id: 1)], toSection: Self.section)
    }
  }

  fileprivate var header: String? { server.snapshot.sectionModel(of: Self.section) }
  fileprivate var shownHeader: String? {
    list.overlay.core.snapshot.sectionModel(of: Self.section)
  }
}
