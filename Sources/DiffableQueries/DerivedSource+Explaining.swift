import Diffable

/// Saying what a query does.
extension DerivedSource {
  /// What this source does: its steps, what each has cost, and the sources that it follows.
  ///
  /// It is for logs, tests and the question why a list is slow. The sources that this one follows explain
  /// themselves as well, down to those that are not derived.
  ///
  /// ```swift
  /// let explanation = await open.explain()
  /// print(explanation)
  /// ```
  ///
  /// It shows everything that was written to the followed sources before: if there is news, the query works it out
  /// first, as for ``current``. Steps that a new query keeps keep their numbers.
  ///
  /// - Complexity: That of ``current``, and O(k + s) for k leaves of up to 64 rows, and s sections, of all lists of
  ///   the steps.
  public func explain() async -> QueryExplanation {
    await catchUp()
    rest()
    let (shown, revision, followed) = (core.snapshot, core.revision, feeds.map(\.explain))
    let input = front.present?.snapshot
    var steps = chain.explanation(from: input, to: shown)
    // A query without operations shows what there is, and is nothing to explain.
    steps.removeAll { $0.operations.isEmpty }
    if let operation = front.operation {
      let step = QueryExplanation.Step(
        [QueryExplanation.Operation(name: operation, id: nil)],
        rowsIn: feeds.reduce(0) { $0 + $1.rowCount }, rowsOut: input?.numberOfItems ?? 0,
        sectionsOut: input?.numberOfSections ?? 0, bytes: input?.base.bytes(besides: nil) ?? 0,
        frontWork)
      steps.insert(step, at: 0)
    }
    var sources: [QueryExplanation] = []
    for explain in followed { sources.append(await explain()) }
    return QueryExplanation(
      source: "DerivedSource", element: shown.kernels.elementName, revision: revision,
      rowCount: shown.numberOfItems, sectionCount: shown.numberOfSections, steps: steps,
      followed: sources)
  }

  /// Lets the followed sources be combined after a change of one of them, and measures that.
  func combine<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<Input.SectionID, Input.ItemID>? {
    guard front.operation != nil else { return try front.advance(input, ofFeed: index) }
    let (beginnings, isFirst) = (front.beginnings, front.present == nil)
    let elapsed = core.hub.startTimer()
    let combined = try front.advance(input, ofFeed: index)
    guard front.present != nil else { return combined }
    let isFromScratch = front.beginnings != beginnings
    var isTooLarge = false
    if case .changed = input.origin { isTooLarge = isFromScratch && !isFirst }
    frontWork.note(isFromScratch: isFromScratch, isTooLarge: isTooLarge, elapsed())
    return combined
  }
}

/// A source that can say what it does.
protocol ExplainedSource: Sendable {
  func explain() async -> QueryExplanation
}

extension DerivedSource: ExplainedSource {}

extension SnapshotKernels {
  /// The type of what a list with these shows for a row.
  var elementName: String { "\((models ?? items).type)" }
}
