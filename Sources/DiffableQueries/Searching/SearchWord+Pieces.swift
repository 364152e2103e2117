/// In several pieces.
extension SearchWord {
  /// The points for the best pieces; `nil` if the word does not occur in pieces.
  ///
  /// - Complexity: O(b · l) for b bytes of the word and l of the text, if all of them occur.
  func pointsOfPieces(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    withCosts(in: text) { costs in
      let cost = costs.least
      return cost < PieceCosts.none ? Swift.max(1, 32 - Int(cost)) : nil
    }
  }

  /// Calls a function with each of the best pieces, from the last one on: of several with the same cost, with those
  /// that end first.
  ///
  /// - Complexity: O(b · l) for b bytes of the word and l of the text, and as much memory.
  func forEachPiece(in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void) {
    withCosts(in: text) { $0.forEachPiece(body) }
  }

  /// Calls a function with what pieces cost, and returns its result; `nil` if the bytes of the word do not occur in
  /// their order.
  private func withCosts<Result>(
    in text: UnsafeBufferPointer<UInt8>, _ body: (PieceCosts) -> Result?
  ) -> Result? {
    let text = UnsafeBufferPointer(rebasing: text.prefix(Self.pieceLimits.text))
    guard (2...Self.pieceLimits.word).contains(bytes.count) else { return nil }
    return withUnsafeTemporaryAllocation(of: PieceCosts.Row.self, capacity: bytes.count) { rows in
      var index = 0
      for place in bytes.indices {
        // The bytes after it have to fit.
        let last = text.count - bytes.count + place
        index = text.index(of: bytes[place], from: index, through: last)
        guard index <= last else { return nil }
        rows.initializeElement(at: place, to: .init(first: index, last: index, start: 0))
        index += 1
      }
      var count = 0
      index = text.count
      for place in bytes.indices.reversed() {
        repeat { index -= 1 } while text[index] != bytes[place]
        (rows[place].last, rows[place].start) = (index, count)
        count += index - rows[place].first + 1
      }
      return withUnsafeTemporaryAllocation(of: PieceCosts.Cell.self, capacity: count) { cells in
        body(PieceCosts(of: self, in: text, UnsafeBufferPointer(rows), filling: cells))
      }
    }
  }
}

/// What the pieces of a word cost in a text, by their last byte.
///
/// A byte of the word is looked for only where those before it and after it still have room:
/// ```text
/// kind of blue
/// k       l        the first places of “kl”, in order
/// k       l        the last places
/// ```
/// Its memory is that of the word and the text, which must be held.
private struct PieceCosts {
  /// Where a byte of the word may be in the text, and the number of its first cell.
  struct Row {
    let first: Int
    var last: Int
    var start: Int
  }

  /// For a byte of the word and one of the text: the least cost of pieces whose last bytes these are, and of those
  /// that end there or before.
  struct Cell {
    let here: Int16
    let least: Int16
  }

  private let word: UnsafeBufferPointer<UInt8>
  private let text: UnsafeBufferPointer<UInt8>
  private let rows: UnsafeBufferPointer<Row>
  private let cells: UnsafeMutableBufferPointer<Cell>

  /// More than all bytes of a word cost as pieces of their own.
  static var none: Int16 { 1 << 12 }

  init(
    of word: SearchWord, in text: UnsafeBufferPointer<UInt8>, _ rows: UnsafeBufferPointer<Row>,
    filling cells: UnsafeMutableBufferPointer<Cell>
  ) {
    (self.word, self.text, self.rows, self.cells) = (word.bytes, text, rows, cells)
    for place in rows.indices {
      let row = rows[place]
      var least = Self.none
      for index in row.first...row.last {
        let here = cost(of: place, at: index)
        least = Swift.min(least, here)
        cells.initializeElement(
          at: row.start + index - row.first, to: Cell(here: here, least: least))
      }
    }
  }

  /// The least cost of pieces with all bytes of the word.
  var least: Int16 { before(word.count, text.count).least }

  /// The costs of pieces with the bytes of the word before a place, that end before an index of the text.
  private func before(_ place: Int, _ index: Int) -> Cell {
    guard place > 0 else { return Cell(here: Self.none, least: 0) }
    let row = rows[place - 1]
    if index - 1 <= row.last { return cells[row.start + index - 1 - row.first] }
    return Cell(here: Self.none, least: cells[row.start + row.last - row.first].least)
  }

  /// What a piece costs that begins somewhere.
  private func cost(at start: Int) -> Int16 { text.isBoundary(start) ? 1 : 3 }

  /// The least cost of pieces whose last byte is one of the word, at an index of the text.
  private func cost(of place: Int, at index: Int) -> Int16 {
    guard word[place] == text[index] else { return Self.none }
    let before = before(place, index)
    // A piece does not begin inside of a scalar.
    if word[place].continuesScalar { return before.here }
    return Swift.min(before.here, before.least + cost(at: index), Self.none)
  }

  func forEachPiece(_ body: (Range<Int>) -> Void) {
    guard least < Self.none else { return }
    var (end, place) = (text.count, word.count)
    while place > 0 {
      let row = rows[place - 1]
      end = Swift.min(end, row.last + 1)
      // Where the cost is reached first.
      while end - 1 > row.first, before(place, end - 1).least == before(place, end).least {
        end -= 1
      }
      var (start, cost) = (end, before(place, end).here)
      while true {
        start -= 1
        place -= 1
        let earlier = before(place, start)
        if !word[place].continuesScalar, earlier.least + self.cost(at: start) == cost { break }
        cost = earlier.here
      }
      body(start..<end)
      end = start
    }
  }
}
