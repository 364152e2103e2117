import Diffable

/// The rows of a section, in the order of the input, and the best of them.
struct ScoredSection {
  private(set) var leaves: [ScoredLeaf] = []
  /// The number of rows before each leaf.
  private(set) var starts: [Int] = []

  mutating func append(_ leaf: ScoredLeaf) {
    starts.append((starts.last ?? 0) + (leaves.last?.count ?? 0))
    leaves.append(leaf)
  }

  /// A row that matches.
  ///
  /// It is valid as long as the section is held: there are many, and counting their references takes longer than
  /// finding them.
  struct Found {
    let row: RowPlace
    let score: Double
    /// Whether each character of its text is one scalar of the folded text, or none.
    let isAligned: Bool
    /// The leaf in which it is, at an offset.
    unowned(unsafe) let leaf: ScoredLeaf
    let offset: Int
  }

  /// The row at a position; `nil` if it does not match.
  ///
  /// - Complexity: O(log l) for l leaves.
  func found(at position: Int) -> Found? {
    let index = starts.partitioningIndex { $0 > position } - 1
    let (leaf, offset) = (leaves[index], position - starts[index])
    return leaf.scores[offset].isNaN ? nil : leaf.found(at: offset)
  }

  /// The rows that match, those with high scores first; of rows with equal ones, the first of the list.
  ///
  /// - Parameter limit: How many are wanted at most.
  /// - Complexity: O(m + d · log d) for m rows that match with d different scores. With a limit of k rows,
  ///   O(l + m + k · log k) for l leaves of which those are read that may have one of these rows.
  func best(_ limit: Int?) -> [Found] {
    guard let limit else { return all() }
    guard limit > 0 else { return [] }
    var top = TopRows(limit)
    for index in leaves.indices where top.takes(leaves[index].best) {
      let scores = leaves[index].scores
      for offset in scores.indices { top.insert(scores[offset], index, offset) }
    }
    return top.inOrder.map { leaves[$0.leaf].found(at: $0.offset) }
  }

  /// All rows that match, sorted by their scores: those with equal ones are counted, and placed.
  private func all() -> [Found] {
    var groups: [Double: Int] = [:]
    var counts: [(score: Double, count: Int)] = []
    var numbers: [Int32] = []
    // Adjacent rows often have the same score.
    var last = (score: Double.nan, number: 0)
    for leaf in leaves {
      for score in leaf.scores where !score.isNaN {
        if score != last.score {
          let number = groups[score] ?? counts.count
          if number == counts.count {
            groups[score] = number
            counts.append((score, 0))
          }
          last = (score, number)
        }
        counts[last.number].count += 1
        numbers.append(Int32(last.number))
      }
    }
    var places = [Int](repeating: 0, count: counts.count)
    var end = 0
    for number in counts.indices.sorted(by: { counts[$0].score > counts[$1].score }) {
      places[number] = end
      end += counts[number].count
    }
    return [Found](unsafeUninitializedCapacity: numbers.count) { buffer, count in
      guard let first = buffer.baseAddress else { return }
      for leaf in leaves {
        leaf.forEachFound { found in
          let number = Int(numbers[count])
          (first + places[number]).initialize(to: found)
          places[number] += 1
          count += 1
        }
      }
    }
  }
}

/// The rows with the highest scores of those that were inserted, up to a number.
///
/// A binary heap whose root is the worst row: the one with the least score, and of those the last.
private struct TopRows {
  struct Entry {
    let score: Double
    let leaf: Int
    let offset: Int

    /// Whether it is after another row.
    func isWorse(than other: Entry) -> Bool {
      score != other.score
        ? score < other.score : (leaf, offset) > (other.leaf, other.offset)
    }
  }

  private var heap: [Entry] = []
  private let limit: Int

  init(_ limit: Int) { self.limit = limit }

  /// Whether a row with a score would be taken that is after all others in the list.
  func takes(_ score: Double) -> Bool { heap.count < limit || score > heap[0].score }

  /// Inserts a row that is after all others in the list, if it is good enough.
  mutating func insert(_ score: Double, _ leaf: Int, _ offset: Int) {
    guard !score.isNaN else { return }
    let entry = Entry(score: score, leaf: leaf, offset: offset)
    if heap.count < limit {
      heap.append(entry)
      heap.raiseLast { $0.isWorse(than: $1) }
    } else if score > heap[0].score {
      heap[0] = entry
      heap.sinkFirst { $0.isWorse(than: $1) }
    }
  }

  /// The rows, the best first.
  var inOrder: [Entry] { heap.sorted { $1.isWorse(than: $0) } }
}
