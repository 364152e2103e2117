import Diffable
import DiffableQueries
import ListSupport

/// Somebody who follows a source at a pace of their own, and knows nothing but its batches.
@MainActor
final class Reader {
  private let part: any Part
  /// How many rows of each section are shown, if not all, and the query that shows these.
  private let length: Int?
  private let query: PlainQuery
  private let world: World?
  private let feed: any Feed
  private var policy = UpdatePolicy.coalesced
  private var revision: Revision?
  private var shown = PlainList()
  private var models: [Int: Card] = [:]
  private var headers: [Shelf: String] = [:]
  /// What the source has shown since the last reading, and what was marked.
  private var passed: [PlainList] = []
  private var marks = Marks()
  /// Whether rows may be shown again for reasons that the world does not know.
  private var isFresh = true

  init(
    _ part: any Part, abridgedTo length: Int? = nil, world: World? = nil,
    _ query: PlainQuery = PlainQuery(operations: [])
  ) {
    (self.part, self.length, self.query, self.world) = (part, length, query, world)
    func feed(_ source: some CardSource) -> any Feed {
      guard let length else { return SourceFeed(source) }
      let abridged = source.abridged(to: length, options: .strict)
      return query.operations.isEmpty
        ? SourceFeed(abridged)
        : SourceFeed(abridged.derived(options: .strict) { query.askedOfAny($0) })
    }
    self.feed = feed(part.source)
    passed = [truth]
  }

  /// What there is to be seen.
  private var truth: PlainList {
    let list = length.map(part.truth.abridged) ?? part.truth
    guard !query.operations.isEmpty, let world else { return list }
    return query.result(of: list, flags: [:], now: world.clock.now)
  }

  func note() {
    passed.append(truth)
    marks.formUnion(part.marks)
  }

  func resubscribe(_ policy: UpdatePolicy) {
    self.policy = policy
    feed.resubscribe(policy, after: revision)
  }

  /// Takes batches until the newest state is there.
  func read() async throws {
    let old = passed[0]
    part.follow()
    let truth = truth
    passed.append(truth)
    var batches: [PlainBatch] = []
    while await feed.revision != revision {
      guard let batch = await feed.next() else { throw Failure("the stream has ended") }
      try take(batch)
      batches.append(batch)
    }
    try promise(
      shown.text == truth.text, "is shown\n  \(shown.text)\ninstead of\n  \(truth.text)")
    for row in shown.rows {
      try promise(
        models[row.id] == row.card, "the batches have \(models[row.id] as Any) for \(row.card)")
    }
    for section in shown.sections {
      try promise(
        headers[section.shelf] == section.header,
        "the batches have the header \(headers[section.shelf] as Any) for \(section.shelf)")
    }
    if !isFresh { try judge(batches, from: old) }
    isFresh = false
    (passed, marks) = ([truth], Marks())
  }

  private func take(_ batch: PlainBatch) throws {
    let new = batch.list
    if batch.base == nil {
      (models, headers) = ([:], [:])
    } else {
      try promise(
        batch.base == revision, "a batch follows \(batch.base as Any), not \(revision as Any)")
      let replayed = PlainReplay(shown, batch).ids
      let ids = new.sections.map(\.shownIDs)
      try promise(replayed == ids, "\(batch) makes\n  \(replayed) instead of\n  \(ids)")
    }
    for item in batch.removedItems { models[item] = nil }
    models.merge(batch.models) { $1 }
    for section in batch.removedHeaders { headers[section] = nil }
    headers.merge(batch.headers) { $1 }
    (shown, revision) = (new, batch.target)
  }

  /// Rows that stay are the same rows, and exactly those are shown again that have changed.
  private func judge(_ batches: [PlainBatch], from old: PlainList) throws {
    let isReset = batches.contains { $0.base == nil }
    if isReset {
      return try promise(marks.isReset, "a list is shown from scratch for nothing")
    }
    let law = RefreshLaw(
      passed: passed, marks: marks, isTwofold: part.isTwofold, followsTwo: part.followsTwo)
    try law.judge(batches)
  }
}
