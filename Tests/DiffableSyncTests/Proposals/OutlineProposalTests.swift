import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Trees, sections that come and go, marks and renames take the way of a mirror's changes.
@Suite("Changes of lists and outlines in a mirror") struct OutlineProposalTests {
  typealias Batch = UpdateBatch<String, Int>
  typealias State = Snapshot<String, Int>

  /// Follows what the user of the mirror sees.
  private struct Viewer {
    private let reader: RevisionReader<String, Int>
    private let cursor: CursorToken
    private var seen = State()

    init(_ list: EditedList<Batch>) {
      let hub = list.overlay.core.hub
      reader = RevisionReader(hub: hub)
      cursor = CursorToken(hub: hub, policy: .every(limit: 1000), after: nil)
    }

    /// - Returns: What is wrong with the batches since the last call.
    mutating func fault(_ shown: State) throws -> String? {
      while let batch = reader.poll(cursor) {
        if batch.base != nil {
          let replayed = try seen.applying(batch.difference, insertsFrom: batch.snapshot)
          if replayed != batch.snapshot { return "\(batch) does not lead there from \(seen)" }
        }
        seen = batch.snapshot
      }
      return seen == shown ? nil : "a viewer has \(seen)"
    }
  }

  @Test(
    "A function that refuses what it does not know refuses rows below a folded one",
    arguments: [nil, 2])
  func hiddenRows(former: Int?) throws {
    func list(_ hidden: Int?) throws -> State {
      var list = State()
      list.appendSections(["A"])
      try list.appendItems([1])
      guard let hidden else { return list }
      var outline = try Outline([1])
      try outline.append([hidden], to: 1)
      try list.setOutline(outline, forSection: "A")
      return list
    }
    let owner = SourceCore<String, Int>(
      SourceOptions(), kernels: State.makeKernels(), children: nil)
    try owner.begin(with: list(former))
    let batch = try UpdateBatch(from: list(former), to: list(3))
    let proposal = Proposal(batch, basedOn: owner.hub.token(for: owner.revision))
    let answer = try owner.accept(proposal) { change, _ in
      #expect(change.changes.last == .updateSection("A", at: 0))
      #expect(change.batch.snapshot.outline(ofSection: "A")?.items == [1, 3])
      for case .updateSection in change.changes { throw Refusal(code: "no", reason: "No.") }
    }
    #expect(answer.refusal?.code == "no")
    #expect(try owner.snapshot == list(former))
  }

  @Test(
    "Owner and mirror agree at the end, and a viewer at any time",
    arguments: 0..<rounds(96 as UInt64))
  func random(seed: UInt64) throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let start = generator.snapshot(sections: 2, items: 6)
    var world = try OwnerAndMirror<Batch>(State.makeKernels()) { draft in
      draft.appendSections(start.sectionIdentifiers)
      for section in start.sectionIdentifiers {
        try draft.appendItems(start.itemIdentifiers(inSection: section), toSection: section)
      }
    }
    var viewer = Viewer(world.list)
    var proposal: Proposal<Batch>?
    for step in 0..<50 {
      let comment: Comment = "seed \(seed), step \(step)"
      let shown = world.list.overlay.core.snapshot
      switch generator.random.number(below: 12) {
      case 0...3:
        let edit = generator.anyEdit(of: shown)
        try? world.edit { try edit.apply(to: &$0) }
      case 4:
        let edit = generator.anyEdit(of: world.server.snapshot)
        try? world.write { try edit.apply(to: &$0) }
      case 5: _ = try? world.list.reverse(.undo, .animated)
      case 6: _ = try? world.list.reverse(.redo, .animated)
      case 7, 8: if proposal == nil { proposal = world.list.next() }
      case 9:
        guard let sent = proposal else { break }
        proposal = nil
        let answer = try world.accept(sent)
        switch generator.random.number(below: 3) {
        case 0: world.list.fail(sent.id)
        case 1: world.list.receive(answer.withoutDelta, for: sent.id)
        default: world.list.receive(answer, for: sent.id)
        }
      case 10 where generator.random.chance(oneIn: 4):
        proposal = nil
        try world.restart()
        viewer = Viewer(world.list)
      default: if world.isBehind { try world.deliverNext() }
      }
      let now = world.list.overlay.core.snapshot
      try now.validate()
      let fault = try viewer.fault(now)
      try #require(fault == nil, comment)
      guard let held = world.list.list.held?.parts?.place.revision else { continue }
      let owner = RevisionReader<String, Int>(hub: world.server.hub)
      let known = owner.snapshot(at: held)
      try #require(known == nil || known == world.list.list.snapshot, comment)
    }
    if let proposal { world.list.fail(proposal.id) }
    // A viewer reads one state after the other.
    func check() throws {
      let fault = try viewer.fault(world.list.overlay.core.snapshot)
      #expect(fault == nil, "seed \(seed)")
    }
    func deliver() throws {
      while world.isBehind {
        try world.deliverNext()
        try check()
      }
    }
    try check()
    try deliver()
    while let proposal = world.list.next() {
      world.list.receive(try world.accept(proposal), for: proposal.id)
      try check()
      try deliver()
    }
    #expect(world.list.undecided.isEmpty, "seed \(seed)")
    #expect(world.list.overlay.core.snapshot == world.server.snapshot, "seed \(seed)")
  }
}
