import Diffable

/// The changes of a list of nested rows.
///
/// Positions and gaps are in its last state, by section; a gap is before the row with its position.
struct NestedPlan<SectionID: Hashable & Sendable, Row> {
  /// The changes of the rows of a section.
  struct Section {
    var removals: [Int] = []
    var insertions: [Insertion] = []
  }

  struct Insertion {
    let row: Row
    let gap: Int
    let place: NestedPlace
  }

  /// A change of the number of rows that an element has.
  enum Length {
    /// The element leaves; its position is among the former ones of its section.
    case removed(Int)
    /// The element arrives; its position is among those that there are now.
    case inserted(Int, Int)
    /// The element stays; its position is among those that there are now.
    case changed(Int, Int)
  }

  private(set) var sections = IdentifierMap<SectionID, Section>()
  private(set) var lengths = IdentifierMap<SectionID, [Length]>()
  /// Rows that stay and may show something else.
  var updates: [Row] = []
  /// Sections that the outer list no longer has.
  var sectionDeletes: [SectionID] = []
  /// Sections that are inserted or moved in the outer list, in the order in which it has them.
  var sectionPlacements: [SectionID] = []
  /// Sections whose headers may show something else.
  var sectionUpdates: [SectionID] = []

  mutating func remove(_ rows: Range<Int>, of section: SectionID) {
    guard !rows.isEmpty else { return }
    sections.change(section, default: Section()) { $0.removals += rows }
  }

  mutating func insert(_ row: Row, at gap: Int, _ place: NestedPlace, of section: SectionID) {
    sections.change(section, default: Section()) {
      $0.insertions.append(Insertion(row: row, gap: gap, place: place))
    }
  }

  /// Inserts the rows of an element.
  mutating func insert(_ rows: [Row], ofElement element: Int, at gap: Int, of section: SectionID) {
    for (number, row) in rows.enumerated() {
      insert(row, at: gap, NestedPlace(element: element, row: number), of: section)
    }
  }

  mutating func note(_ length: Length, of section: SectionID) {
    lengths.change(section, default: []) { $0.append(length) }
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
  mutating func apply<SectionID, Row>(_ changes: [NestedPlan<SectionID, Row>.Length]) {
    var (removed, inserted) = ([Int](), [(Int, Int)]())
    for change in changes {
      switch change {
      case .removed(let element): removed.append(element)
      case .inserted(let element, let length): inserted.append((element, length))
      case .changed: break
      }
    }
    for element in removed.sorted(by: >) { replace(element..<element + 1, with: []) }
    for (element, length) in inserted.sorted(by: { $0.0 < $1.0 }) {
      replace(element..<element, with: [length])
    }
    for case .changed(let element, let length) in changes {
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
