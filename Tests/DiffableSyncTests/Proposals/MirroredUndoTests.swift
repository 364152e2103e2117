import Foundation
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

  /// An owner and a mirror; what is between them happens when the test says so.
  struct World {
    let server: SourceCore<Int, Int>
    private(set) var list: EditedList<Batch>
    private let kernels = Snapshot<Int, Int>.makeKernels(models: ElementKernel(models: Row.self))
    private let handlers: ModelHandlers<Int>
    private let cursor: CursorToken
    private var deltas: [Batch.Delta] = []
    private var received = 0

    init(hasHandler: Bool) throws {
      handlers =
        hasHandler
        ? ModelHandlers(drop: nil) { (base: Row, theirs: Row, mine: Row) in
          Row(
            TakingBack.merged(base: base.fields, theirs: theirs.fields, mine: mine.fields))
        } : ModelHandlers()
      server = SourceCore(SourceOptions(), kernels: kernels, children: nil, handlers: handlers)
      list = .unread(kernels, handlers)
      cursor = CursorToken(hub: server.hub, policy: .every(limit: 1000), after: nil)
      try write {
        $0.appendSections([0])
        try $0.appendItems([Row()], toSection: 0)
      }
      try deliver()
    }

    var live: Fields? { server.snapshot.model(of: 1, as: Row.self)?.fields }
    var shown: Fields? { list.overlay.core.snapshot.model(of: 1, as: Row.self)?.fields }

    mutating func write(_ edit: (inout Batch.Draft) throws -> Void) throws {
      try server.begin(ifRevision: nil)
      try server.transact(.animated) {
        try server.live.update(duplicates: .reject) { try Batch._edit(&$0, &$1, renamed: [], edit) }
      }
      publish()
    }

    private mutating func publish() {
      let reader = RevisionReader<Int, Int>(hub: server.hub)
      while let batch = reader.poll(cursor) { deltas.append(Batch(batch).delta) }
    }

    /// Lets the user of the mirror set the fields.
    func edit(_ fields: Fields) throws { try edit { $0.setModel(Row(fields)) } }

    func edit(_ edit: @escaping @Sendable (inout Batch.Draft) throws -> Void) throws {
      _ = try list.add(
        { snapshot, given, names in
          try Batch._edit(&snapshot, &given, renamed: [], edit)
          return Contradictions()
        }, named: "mine", .animated)
    }

    mutating func deliver() throws {
      while received < deltas.count {
        let delta = deltas[received]
        received += 1
        _ = try list.apply { () throws(DeltaError) in delta }
      }
    }

    /// Lets the owner decide on a proposal.
    mutating func accept(_ proposal: Proposal<Batch>) throws -> ProposalAnswer<Batch> {
      let sent = try JSONDecoder().decode(
        Proposal<Batch>.self, from: JSONEncoder().encode(proposal))
      let answer = try server.accept(sent) { _, _ in }
      publish()
      return try JSONDecoder().decode(
        ProposalAnswer<Batch>.self, from: JSONEncoder().encode(answer))
    }

    /// Lets the owner have all that waits, and the mirror what comes of it.
    mutating func send() throws {
      while let proposal = list.next() {
        list.receive(try accept(proposal), for: proposal.id)
        try deliver()
      }
      try deliver()
    }

    /// Ends the app, and begins it again with what it has stored.
    mutating func restart() throws {
      let stored = try JSONEncoder().encode(list.stored)
      list = .unread(kernels, handlers)
      if let pending = try JSONDecoder().decode(PendingEdits<Batch>?.self, from: stored) {
        try list.resume(pending)
      }
    }
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
