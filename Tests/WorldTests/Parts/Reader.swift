import Diffable

/// Somebody who follows a source at a pace of their own, and knows nothing but its batches.
@MainActor
final class Reader {
  private let part: any Part
  private var stream: AsyncStream<CardBatch>.Iterator
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

  init(_ part: any Part) {
    self.part = part
    stream = part.source.updates().makeAsyncIterator()
    passed = [part.truth]
  }

  func note() {
    passed.append(part.truth)
    marks.formUnion(part.marks)
  }

  func resubscribe(_ policy: UpdatePolicy) {
    self.policy = policy
    let token = revision.map { part.source.token(for: $0) }
    stream = part.source.updates(policy, after: token).makeAsyncIterator()
  }

  /// Takes batches until the newest state is there.
  func read() async throws {
    let old = passed[0]
    part.follow()
    passed.append(part.truth)
    var batches: [CardBatch] = []
    while await part.source.revision != revision {
      guard let batch = await next() else { throw Failure("the stream has ended") }
      try take(batch)
      batches.append(batch)
    }
    try promise(
      shown.text == part.truth.text, "is shown\n  \(shown.text)\ninstead of\n  \(part.truth.text)")
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
    (passed, marks) = ([part.truth], Marks())
  }

  private func next() async -> CardBatch? {
    var iterator = stream
    defer { stream = iterator }
    return await iterator.next(isolation: #isolation)
  }

  private func take(_ batch: CardBatch) throws {
    let new = PlainList(batch.snapshot)
    if batch.base == nil {
      (models, headers) = ([:], [:])
    } else {
      try promise(
        batch.base == revision, "a batch follows \(batch.base as Any), not \(revision as Any)")
      let replayed = PlainReplay(shown, batch).ids
      let ids = new.sections.map { section in section.shown.map { section.rows[$0].id } }
      try promise(replayed == ids, "\(batch) makes\n  \(replayed) instead of\n  \(ids)")
    }
    for item in batch.removedItems { models[item] = nil }
    models.merge(batch.models) { $1 }
    for section in batch.removedSectionModels { headers[section] = nil }
    headers.merge(batch.sectionModels) { $1 }
    (shown, revision) = (new, batch.target)
  }

  /// Rows that stay are the same rows, and exactly those are shown again that have changed.
  private func judge(_ batches: [CardBatch], from old: PlainList) throws {
    let isReset = batches.contains { $0.base == nil }
    if isReset {
      return try promise(marks.isReset, "a list is shown from scratch for nothing")
    }
    let law = RefreshLaw(passed: passed, marks: marks, isTwofold: part.isTwofold)
    try law.judge(batches)
  }
}
