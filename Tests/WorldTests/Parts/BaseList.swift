import DiffableTesting
import ListSupport

@testable import Diffable
@testable import DiffableSync

/// A list that users write near and far.
final class BaseList: WrittenList {
  let list: ModelSource<Shelf, Card>
  var truth = PlainList()
  var marks = Marks()
  var own = Marks()
  var placed: Set<Int> = []
  let world: World
  let timeline: Timeline
  /// Whether two versions of a model become one, field by field.
  private let isMerging: Bool
  /// The revisions that have made the proposals of others.
  private(set) var made: [WriteID: Int] = [:]

  var source: any CardSource { list }
  var roots: Set<ObjectIdentifier> { [ObjectIdentifier(self)] }

  init(_ world: World, isMerging: Bool) {
    (self.world, self.isMerging) = (world, isMerging)
    let options = SourceOptions(history: 200)
    list =
      isMerging
      ? ModelSource(options: options, mergeHandler: Card.merged) : ModelSource(options: options)
    timeline = Timeline(of: list, isMerging: isMerging)
  }

  func begin() async throws {
    let shelves = [Shelf(100), Shelf(101)]
    var deeds: [Deed] = shelves.map { .addSection($0, before: nil) }
    var ids: [Int] = []
    for shelf in shelves {
      let cards = (0..<5).map { _ in
        let id = world.counter.next()
        return Card(id: id, rank: id * 7 % 5, text: id % 3)
      }
      deeds.append(.append(cards, to: shelf))
      ids = cards.map(\.id)
    }
    if isMerging {
      // Rows that the other list has as well.
      deeds.append(.append((2...4).map { Card(id: $0, rank: $0 % 5, text: 1) }, to: shelves[0]))
    }
    deeds.append(.tree(shelves[1], ids, [0, 1, 1, 0, 1]))
    var after = truth
    for deed in deeds { after.perform(deed, soul: world.counter.next) }
    let result = try await list.update { [deeds] draft in
      for deed in deeds { try deed.apply(to: &draft) }
    }
    note(result.change, after)
  }

  /// What it has shown at a revision.
  func truth(_ revision: Int) -> PlainList { timeline.truth(revision) }

  /// What was marked at a revision.
  func marks(_ revision: Int) -> Marks { timeline.marks(revision) }

  /// What the app does with models.
  var handlers: ModelHandlers<Shelf> {
    isMerging ? ModelHandlers(drop: nil, merge: Card.merged) : ModelHandlers()
  }

  // MARK: Proposals

  /// Answers somebody far away.
  func accept(
    _ proposal: Proposal<CardBatch>, _ edit: FarEdit, _ isRefused: Bool
  ) async throws -> ProposalAnswer<CardBatch> {
    let before = await list.revision
    let answer = try await list.accept(proposal) { _, _ in
      if isRefused { throw Refusal(code: "no", reason: "No.") }
    }
    let after = await list.revision
    guard after != before else { return answer }
    try promise(made[proposal.id] == nil, "the proposal \(proposal.id) is made twice")
    made[proposal.id] = after.number
    var result = PlainList(await list.snapshot)
    let known = [truth, edit.after, edit.before] + everything
    try result.takeSouls(
      from: known, isStrange: !edit.strange.isEmpty, fresh: world.counter.next)
    try FarEditLaw(edits: [edit], live: truth, former: everything).judge(result)
    // Somebody who was not told of a name marks nothing by it.
    own.formUnion(edit.marks.demanding(edit.marks.all.subtracting(edit.strange)))
    // A proposal does not say whether a row that it draws otherwise was marked besides.
    let (former, views) = (truth.views, result.views)
    let drawn = own.reconfigured.filter { former[$0] != views[$0] }
    own.reconfigured.subtract(drawn)
    own.hinted.formUnion(drawn)
    placed.formUnion(edit.touched)
    // One that changes nothing, or only marks, makes a revision for those who wait for it.
    let isChange = result.text != truth.text || list.nextUndo(.everything)?.revision == after
    timeline.note(result, at: after)
    note(isChange ? list.change(of: after) : nil, result)
    return answer
  }
}

extension Card {
  /// One of two versions, field by field.
  static let merged: @Sendable (Card, Card, Card) -> Card = { base, theirs, mine in
    Card(
      id: mine.id, rank: mine.rank == base.rank ? theirs.rank : mine.rank,
      text: mine.text == base.text ? theirs.text : mine.text)
  }
}
