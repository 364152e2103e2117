import Diffable

/// What a step does with whole sections of its input.
struct SectionRules<SectionID: Hashable & Sendable, Value>: Sendable {
  /// The model of a section, given the one that it has, and the number of rows that are left out.
  typealias Header = @Sendable (SectionID, SectionContent?, Int) -> SectionContent

  /// Makes what decides about the place of sections, or whether they are shown.
  var makeMeasures: (@Sendable () -> SectionMeasures<SectionID, Value>)?
  /// The number of rows of each section that are shown: the first.
  var length = Int.max
  var header: Header?
  /// Whether sections without rows are left out.
  var omitsEmptySections = false
  /// The type of what the input has for a row: rules read elements from memory.
  let element: any Any.Type

  init(element: any Any.Type) { self.element = element }
}

/// One step of a query that orders the sections of its input, leaves some out, or shortens all.
///
/// It keeps what the rows of each section of the input come to, also of those that it leaves out. Rows keep their
/// order, so a shown section has the first rows that the input has there.
final class SectionStep<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Value
>: ChainedStep {
  typealias Input = Snapshot<SectionID, ItemID>
  typealias Live = LiveState<SectionID, ItemID>

  let rules: SectionRules<SectionID, Value>
  let measures: SectionMeasures<SectionID, Value>?
  private(set) var beginnings = 0

  init(_ rules: SectionRules<SectionID, Value>) {
    self.rules = rules
    measures = rules.makeMeasures?()
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels { input }

  func advance(
    _ input: StepInput<SectionID, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let kernels = input.snapshot.kernels
    precondition(
      (kernels.models ?? kernels.items).type == rules.element, "elements of another type")
    // Another step made the live state, so it tells nothing about the result of this one.
    switch isFresh ? .unknown : input.origin {
    case .same: return nil
    case .changed(let change):
      if let plan = plan(change, live.snapshot) {
        return try carryOut(plan, input, &live)
      }
    case .unknown: break
    }
    beginnings += 1
    var (snapshot, given) = evaluate(input.snapshot)
    snapshot.take(input.marks)
    return try live.apply(
      snapshot, given, duplicates: .reject, keepingOutlines: false, isComplete: true)
  }

  /// Whether a section with a number of rows is shown.
  func shows(_ section: SectionID, count: Int) -> Bool {
    if rules.omitsEmptySections, Swift.min(count, rules.length) == 0 { return false }
    return measures?.keeps(section) ?? true
  }

  /// Whether a shown section is before another one; both are in the input.
  func isBefore(_ left: SectionID, _ right: SectionID, in input: Input) -> Bool {
    if let verdict = measures?.isBefore(left, right) { return verdict }
    guard let left = input.indexOfSection(left), let right = input.indexOfSection(right) else {
      return false
    }
    return left < right
  }

  /// The model of a section.
  func content(of section: SectionID, count: Int, in input: Input) -> SectionContent {
    let content = input.content(ofSection: section)
    guard let header = rules.header else { return content ?? SectionContent() }
    return header(section, content, Swift.max(0, count - rules.length))
  }
}

/// From scratch.
extension SectionStep {
  /// The shown sections, with their models.
  ///
  /// - Complexity: O(n) for n rows if they are measured, and O(s · log s) comparisons for s sections.
  private func evaluate(_ input: Input) -> (snapshot: Input, given: Live.Given) {
    measures?.removeAll()
    var given = Live.Given()
    var shown: [(id: SectionID, index: Int)] = []
    for (index, record) in input.records.enumerated() {
      if let measures {
        let rows = input.places(ofSectionAt: index)
        withExtendedLifetime(input) {
          measures.column(of: record.id).replace(0..<0, with: rows.map(\.element))
        }
        _ = measures.settle(record.id)
      }
      guard shows(record.id, count: record.itemCount) else { continue }
      shown.append((record.id, index))
      if input.kernels.models != nil {
        given.sections[record.id] = content(of: record.id, count: record.itemCount, in: input)
      }
    }
    shown.sort { left, right in
      measures?.isBefore(left.id, right.id) ?? (left.index < right.index)
    }
    let snapshot = Input(
      input.kernels,
      contents: shown.map { section in
        (id: section.id, items: items(ofSectionAt: section.index, of: input))
      })
    return (snapshot, given)
  }

  /// The shown items of a section, with their models if there are any.
  private func items(ofSectionAt index: Int, of input: Input) -> SectionItems<ItemID> {
    let positions = 0..<rules.length
    if let tree = input.rows(ofSectionAt: index, at: positions, passing: nil) {
      return .tree(ItemTree(tree))
    }
    let rows = input.places(ofSectionAt: index, at: positions)
    return withExtendedLifetime(input) {
      .array(
        rows.map { $0.item() }, input.kernels.items,
        models: input.kernels.models.map { models in
          RowModels(HashedElements(models, gathering: rows.map(\.element)))
        })
    }
  }
}
