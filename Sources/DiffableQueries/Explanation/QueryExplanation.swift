public import Diffable

/// What a derived source does: its steps, what each has cost, and the sources that it follows.
///
/// ```swift
/// print(await open.explain())
/// ```
///
/// It is a value, so a program can log it, compare it with an earlier one, or test that a query is followed and
/// not worked out again. ``description`` is a table for a terminal, and ``svg`` a picture for a browser.
public struct QueryExplanation: Hashable, Sendable {
  /// The kind of the source, such as `DerivedSource` or `ModelSource`.
  public let source: String
  /// The type of what it shows for a row.
  public let element: String
  /// The revision that is explained; of a source that is followed, the one that the steps are based on.
  public let revision: Revision
  /// The visible rows.
  public let rowCount: Int
  /// The sections, those without rows included.
  public let sectionCount: Int
  /// The steps, in the order in which rows pass them; none in a source that is not derived.
  ///
  /// If two sources are merged or joined, or if an element has several rows, the first step does that.
  public let steps: [Step]
  /// The sources that it follows, in their order; each of them with those that it follows itself.
  ///
  /// A source that is followed in two ways is here twice.
  public let followed: [QueryExplanation]

  init(
    source: String, element: String, revision: Revision, rowCount: Int, sectionCount: Int,
    steps: [Step] = [], followed: [QueryExplanation] = []
  ) {
    (self.source, self.element, self.revision) = (source, element, revision)
    (self.rowCount, self.sectionCount) = (rowCount, sectionCount)
    (self.steps, self.followed) = (steps, followed)
  }
}

extension QueryExplanation {
  /// One or more operations that are worked out together.
  ///
  /// Adjacent tests, an order, a grouping and a map are one step: no list is kept between them.
  public struct Step: Hashable, Sendable {
    /// The operations, in the order in which they are written.
    public let operations: [Operation]
    /// The visible rows of all lists that it reads.
    public let rowsIn: Int
    /// The visible rows of the list that it makes.
    public let rowsOut: Int
    /// The sections of the list that it makes.
    public let sectionsOut: Int
    /// How many changes it has followed, at a cost that depends on the change.
    ///
    /// A change that the step before has hidden is none for this step. So is one that failed.
    public let changesFollowed: Int
    /// How many changes made it work out everything again.
    ///
    /// The first time is one of them.
    public let changesFromScratch: Int
    /// The time of its last change, on the clock of the source.
    public let lastTime: Duration
    /// The time of all changes so far, on the clock of the source.
    public let totalTime: Duration
    /// The approximate number of bytes of the list that it makes.
    ///
    /// These are identifiers, hashes and models in leaves that it does not share with the list that it reads, 32
    /// bytes of an index for each row, and 300 for each section. What identifiers and models hold elsewhere
    /// does not count, such as the text of long strings. Nor does what the step knows about keys, sums, deadlines
    /// and partners.
    public private(set) var bytes: Int
    /// What would make it cheaper.
    public private(set) var hints: [Hint]

    init(
      _ operations: [Operation], rowsIn: Int, rowsOut: Int, sectionsOut: Int, bytes: Int,
      _ work: StepWork, hasCircles: Bool = false
    ) {
      self.operations = operations
      (self.rowsIn, self.rowsOut, self.sectionsOut) = (rowsIn, rowsOut, sectionsOut)
      (changesFollowed, changesFromScratch) = (work.followed, work.fromScratch)
      (lastTime, totalTime) = (work.lastTime, work.totalTime)
      self.bytes = bytes
      hints = work.hints
      if hasCircles { hints.append(.circle) }
    }

    /// Adds the list that is kept for a later grouping.
    mutating func keepSecondList(ofBytes count: Int) {
      bytes += count
      hints.append(.secondList)
    }
  }

  /// An operation, as it is written in a query.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    /// Its name, such as `grouped(by:)`.
    public let name: String
    /// The text of its `id`; `nil` if it has none.
    public let id: String?

    /// The name and the `id`, such as `filter, id: "text"`.
    public var description: String { id.map { "\(name), id: \($0)" } ?? name }
  }

  /// What would make a step cheaper.
  public enum Hint: Hashable, Sendable, CustomStringConvertible {
    /// New queries had the same operations here, and worked them out again: at least one has no `id`.
    case unnamed(queries: Int)
    /// A second list of all rows is kept, since rows are sorted, mapped and then grouped.
    case secondList
    /// Changes of more than 64 rows, and of more than a sixteenth of all, were worked out from scratch.
    case largeChanges(count: Int)
    /// Rows name each other as parents in a circle. As long as they do, each change is worked out from scratch.
    case circle

    /// What is the matter, and what to do.
    public var description: String {
      switch self {
      case .unnamed(let queries):
        "Worked out again for \(queries.counted("new query", "new queries")) without an id. "
          + "Give operations that stay the same an id, and write first what rarely changes."
      case .secondList:
        "Keeps a second list of all rows, since a map is between a sort and a grouping. "
          + "Write the map last."
      case .largeChanges(let count):
        "\(count.counted("change was", "changes were")) worked out from scratch: "
          + "more than a sixteenth of the rows."
      case .circle:
        "Rows name each other as parents in a circle. Each change costs as much as all rows."
      }
    }
  }
}

/// What a step has done so far.
struct StepWork {
  private(set) var followed = 0
  private(set) var fromScratch = 0
  /// Those of the latter that were too large to be followed.
  private(set) var tooLarge = 0
  private(set) var lastTime = Duration.zero
  private(set) var totalTime = Duration.zero
  /// How many queries replaced the step by one with the same operations, of which one has no name.
  var replacements = 0

  /// Records a change.
  ///
  /// - Parameters:
  ///   - isFromScratch: Whether everything was worked out again.
  ///   - isTooLarge: Whether it was so because too many rows had changed.
  mutating func note(isFromScratch: Bool, isTooLarge: Bool, _ time: Duration) {
    if isFromScratch { fromScratch += 1 } else { followed += 1 }
    if isTooLarge { tooLarge += 1 }
    lastTime = time
    totalTime += time
  }

  fileprivate var hints: [QueryExplanation.Hint] {
    (replacements > 0 ? [.unnamed(queries: replacements)] : [])
      + (tooLarge > 0 ? [.largeChanges(count: tooLarge)] : [])
  }
}

extension Int {
  /// The number with a word: "1 row", "2 rows".
  func counted(_ one: String, _ several: String) -> String {
    "\(self) \(self == 1 ? one : several)"
  }
}
