import Diffable

/// The changes of a list of nested rows.
///
/// Positions and gaps are in its last state, by section; a gap is before the row with its position.
struct NestedPlan<SectionID: Hashable & Sendable, Row> {
  /// The changes of the rows of a section, and of its elements.
  struct Section {
    var removals: [Int] = []
    var insertions: [Insertion] = []
    /// Elements that leave, by their former positions.
    var removedElements: [Int] = []
    /// Elements that arrive, by their positions now, each with the number of its rows.
    var insertedElements: [(Int, length: Int)] = []
    /// Elements that stay and have another number of rows, by their positions now.
    var changedElements: [(Int, length: Int)] = []
  }

  struct Insertion {
    let row: Row
    let gap: Int
    let place: NestedPlace
  }

  private(set) var sections = IdentifierMap<SectionID, Section>()
  /// Rows that stay and may show something else.
  var updates: [Row] = []
  /// Sections that the outer list no longer has.
  var sectionDeletes: [SectionID] = []
  /// Sections that are inserted or moved in the outer list, in the order in which it has them.
  var sectionPlacements: [SectionID] = []
  /// Sections whose headers may show something else.
  var sectionUpdates: [SectionID] = []

  mutating func change(_ section: SectionID, _ body: (inout Section) -> Void) {
    sections.change(section, default: Section(), body)
  }

  mutating func remove(_ rows: Range<Int>, of section: SectionID) {
    if !rows.isEmpty { change(section) { $0.removals += rows } }
  }

  mutating func insert(_ row: Row, at gap: Int, _ place: NestedPlace, of section: SectionID) {
    change(section) { $0.insertions.append(Insertion(row: row, gap: gap, place: place)) }
  }

  /// Inserts the rows of an element.
  mutating func insert(_ rows: [Row], ofElement element: Int, at gap: Int, of section: SectionID) {
    for (number, row) in rows.enumerated() {
      insert(row, at: gap, NestedPlace(element: element, row: number), of: section)
    }
  }
}

/// The place of a row among all those of its section, in the new state.
struct NestedPlace: Comparable {
  /// The position of its element; that of a row of none is `Int.max`.
  let element: Int
  /// Its number among the rows of the element.
  let row: Int

  static func < (left: NestedPlace, right: NestedPlace) -> Bool {
    (left.element, left.row) < (right.element, right.row)
  }
}

extension NestedPlan.Section {
  /// The removed positions, each once, and the inserted rows in their order.
  var sorted: Self {
    var sorted = self
    if removals.count > 1 { sorted.removals = Set(removals).sorted() }
    sorted.insertions.sort { ($0.gap, $0.place) < ($1.gap, $1.place) }
    return sorted
  }
}

/// How many rows each element of a section has.
struct NestedLengths {
  private var lengths = AggregateSequence<AdditiveRule<Int>>()

  init(_ lengths: [Int] = []) { self.lengths.replaceSubrange(0..<0, with: lengths) }

  /// The number of rows before those of an element, or of all.
  ///
  /// - Complexity: O(log n) for n elements.
  mutating func start(of element: Int) -> Int {
    sum(of: 0..<Swift.min(element, lengths.count))
  }

  /// The rows of an element.
  ///
  /// - Complexity: O(log n) for n elements.
  mutating func rows(of element: Int) -> Range<Int> {
    let start = start(of: element)
    // Identifiers that break the laws of equality may be counted otherwise.
    guard element < lengths.count else { return start..<start }
    return start..<start + sum(of: element..<element + 1)
  }

  /// - Complexity: O(c · log n) for c changes among n elements.
  mutating func apply<SectionID, Row>(_ change: NestedPlan<SectionID, Row>.Section) {
    for element in change.removedElements.sorted(by: >) {
      replace(element..<element + 1, with: [])
    }
    for (element, length) in change.insertedElements.sorted(by: { $0.0 < $1.0 }) {
      replace(element..<element, with: [length])
    }
    for (element, length) in change.changedElements {
      replace(element..<element + 1, with: [length])
    }
  }

  private mutating func sum(of elements: Range<Int>) -> Int {
    lengths.partial(of: elements, by: AdditiveRule())
  }

  private mutating func replace(_ range: Range<Int>, with new: [Int]) {
    lengths.replaceSubrange(range.clamped(to: 0..<lengths.count), with: new)
  }
}
