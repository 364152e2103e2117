import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// An undo in a mirror takes back what one in the owner's process would.
@Suite("Undo of models in a mirror") struct MirroredUndoTests {
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

  fileprivate static let handlers = ModelHandlers<Int>(drop: nil) {
    (base: Row, theirs: Row, mine: Row) in
    Row(TakingBack.merged(base: base.fields, theirs: theirs.fields, mine: mine.fields))
  }

  @Test("Every sequence of changes by two writers, taken back and made again")
  func everySequence() throws {
    for hasHandler in [false, true] {
      for deeds in TakingBack.sequences(upTo: scoped(usual: 3, wide: 4)) {
        var (world, expected) = (
          try World(hasHandler: hasHandler), TakingBack(hasHandler: hasHandler)
        )
        let comment: Comment = "handler: \(hasHandler), \(deeds)"
        for (index, deed) in deeds.enumerated() {
          try make(deed, index + 1, &world, &expected)
          try world.send()
        }
        for direction in [UndoDirection.undo, .undo, .redo, .redo, .undo] {
          let made = try world.list.reverse(direction, .animated)
          let contradicts = direction == .undo ? expected.undo() : expected.redo()
          #expect((made == nil) == (contradicts == nil), comment)
          #expect(made?.contradictions.conflicts.isEmpty == contradicts.map(!), comment)
          #expect(world.shown == expected.live, comment)
          try world.send()
          #expect(world.live == expected.live && world.shown == expected.live, comment)
        }
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
