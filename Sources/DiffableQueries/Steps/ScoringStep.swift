import Diffable

/// A step that shows the rows of each section with the highest scores, the best first.
///
/// It remembers the folded text and the score of each row, by the leaves of its input. A leaf that the input
/// still has is not read again. So a change is found by comparing leaves, and costs the scores of the rows that
/// are new; another text costs a score for each row, or only for those that matched, if it narrows the search.
final class ScoringStep<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: ChainedStep {
  typealias Input = Snapshot<SectionID, ItemID>
  typealias Live = LiveState<SectionID, ItemID>

  let rule: ScoreRule
  let omitsEmptySections: Bool
  /// The type of what the input has for a row.
  private let element: any Any.Type
  private(set) var beginnings = 0
  private(set) var isAbandoned = false
  private(set) var memory = ScoredRows<SectionID, ItemID>()
  /// The text that is searched, if there is one.
  private var text: ElementText?

  init(_ rule: ScoreRule, omitsEmptySections: Bool, element: any Any.Type) {
    (self.rule, self.omitsEmptySections, self.element) = (rule, omitsEmptySections, element)
    if case .text(_, let text) = rule.scorer { self.text = text }
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels { rule.kernels }

  func takeMemory(of earlier: any ChainedStep<SectionID, SectionID, ItemID>) {
    guard let earlier = earlier as? ScoringStep, let reading = rule.reading,
      reading == earlier.rule.reading
    else { return }
    // It reads the same, so rows that both have found can be compared without their texts.
    (memory, text) = (earlier.memory, earlier.text)
  }

  func advance(
    _ input: StepInput<SectionID, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let kernels = input.snapshot.kernels
    precondition((kernels.models ?? kernels.items).type == element, "elements of another type")
    if !isFresh, case .same = input.origin { return nil }
    let isFresh = isFresh
    isAbandoned = !memory.follow(
      input.snapshot, .init(rule.scorer, all: isFresh) { isFresh && input.isSuperseded() })
    if isAbandoned { return nil }
    var isFollowed = false
    if !isFresh, case .changed(let change) = input.origin {
      if let plan = plan(change, live.snapshot) {
        return try carryOut(plan, change, input.marks, &live)
      }
      // With a limit, the best rows are chosen among those whose scores are known.
      isFollowed = rule.limit != nil
    }
    if !isFollowed { beginnings += 1 }
    var (snapshot, given) = evaluate(input.snapshot)
    snapshot.take(input.marks)
    return try live.apply(
      snapshot, given, duplicates: .reject, keepingOutlines: false, isComplete: true)
  }

  /// The best rows of each section, as a new state.
  ///
  /// - Complexity: O(l + m + d · log d) for l leaves and m rows that match with d scores.
  private func evaluate(_ input: Input) -> (snapshot: Input, given: Live.Given) {
    var given = Live.Given()
    var contents: [(id: SectionID, items: SectionItems<ItemID>)] = []
    for record in input.records {
      let rows = memory[record.id]?.best(rule.limit) ?? []
      if rows.isEmpty, omitsEmptySections { continue }
      given.sections[record.id] = record.model ?? SectionContent()
      contents.append((record.id, items(of: rows, in: input)))
    }
    return (Input(rule.kernels, contents: contents), given)
  }

  private func items(
    of rows: [ScoredSection.Found], in input: Input
  ) -> SectionItems<ItemID> {
    let kernel = rule.kernels.items
    guard !rows.isEmpty else { return .array([], kernel) }
    // Rows are identified by their addresses, and the input holds them.
    defer { withExtendedLifetime(input) {} }
    let items = [ItemID](unsafeUninitializedCapacity: rows.count) { buffer, count in
      guard let first = buffer.baseAddress else { return }
      kernel.gather(rows.map(\.row.item), to: UnsafeMutableRawPointer(first))
      count = rows.count
    }
    guard let models = rule.kernels.models else { return .array(items, kernel) }
    // `nonisolated(unsafe)`: a state that is applied gets leaves of its own, and lets go of the arrays that it
    // was made of. That happens in the same call of `advance`, so nobody else calls this, and the memory
    // does not change before.
    nonisolated(unsafe) let (write, memory) = (making(rows), memory)
    return .array(
      items, kernel,
      models: RowModels(models, count: rows.count) { numbers, target in
        withExtendedLifetime((input, memory)) { write(numbers, target) }
      })
  }

  /// What is shown for some rows.
  func make(_ rows: [ScoredSection.Found]) -> HashedElements? {
    rule.kernels.models.map { models in
      HashedElements(models, count: rows.count) { making(rows)(rows.indices, $0) }
    }
  }

  /// Writes what is shown for some of the rows, which must be held.
  private func making(
    _ rows: [ScoredSection.Found]
  ) -> (_ numbers: Range<Int>, UnsafeMutableRawPointer) -> Void {
    let (make, stride) = (rule.rows.make, rule.kernels.models?.stride ?? 0)
    func write(
      _ numbers: Range<Int>, _ memory: UnsafeMutableRawPointer,
      _ parts: (ScoredSection.Found) -> (FoundParts, digest: UInt64)
    ) {
      var place = memory
      for found in rows[numbers] {
        let (parts, digest) = parts(found)
        make(found.row.item, found.row.element, found.score, parts, digest, place)
        place += stride
      }
    }
    guard let pattern = rule.scorer.pattern, let (aligned, others) = parts else {
      return { write($0, $1) { (FoundParts($0.leaf.match(at: $0.offset).ranges), 0) } }
    }
    guard pattern.wordCount > 1 else {
      return { write($0, $1) { ($0.isAligned ? aligned : others, 0) } }
    }
    return { numbers, memory in
      pattern.withWords { words in
        write(numbers, memory) { found in
          guard found.isAligned else { return (others, 0) }
          return (aligned, found.leaf.digest(at: found.offset, words))
        }
      }
    }
  }

  /// What the parts of rows are found by that a text has found: of those with aligned texts, and of the others.
  private lazy var parts: (aligned: FoundParts, others: FoundParts)? = {
    guard let text, let pattern = rule.scorer.pattern else { return nil }
    if pattern.isEmpty { return (.none, .none) }
    return (
      .found(TextSearch(pattern, in: text, isAligned: true)),
      .found(TextSearch(pattern, in: text, isAligned: false))
    )
  }()
}
