import Diffable

/// A row of the loaded pages.
struct PageRow<Model: Sendable>: Sendable {
  /// The number of loaded pages that have it: more than one if the backend repeats rows.
  var pageCount: Int
  /// The number of the page that it belongs to.
  var owner: Int
  /// The newest model of the backend.
  var base: Model
}

/// The rows of the loaded pages, by identifier.
///
/// A page is looked up and added as a whole, by the hashes that came with it: code that asks for each
/// row by its type takes several times as long.
struct PageRows<Model: Identifiable & Equatable & Sendable>: Sendable where Model.ID: Sendable {
  typealias Row = PageRow<Model>

  /// Numbers the rows, including those whose pages have been dropped.
  private var index: ElementIndex
  /// By number: what is known of a row except its model.
  private var places: [(pageCount: Int, owner: Int)] = []
  /// By number.
  private var bases: [Model] = []
  /// The number of rows that are in a page.
  private(set) var count = 0

  /// - Parameter items: The kernel of the identifiers.
  init(_ items: ElementKernel) { index = ElementIndex(items) }

  subscript(item: Model.ID) -> Row? { index.number(of: item).flatMap(row) }

  private func row(_ number: Int) -> Row? {
    let place = places[number]
    guard place.pageCount > 0 else { return nil }
    return Row(pageCount: place.pageCount, owner: place.owner, base: bases[number])
  }

  /// All rows, in the order in which they were added.
  var elements: some Sequence<(item: Model.ID, row: Row)> {
    places.indices.lazy.compactMap { number in
      row(number).map { (item: item(number), row: $0) }
    }
  }

  private func item(_ number: Int) -> Model.ID {
    withExtendedLifetime(index) {
      index.elements.span.address(number).assumingMemoryBound(to: Model.ID.self).pointee
    }
  }

  /// Whether no row of an answer is known, even from a page that has been dropped.
  func hasNone<Cursor>(of answer: PageAnswer<Model, Cursor>) -> Bool {
    let span = answer.elements.span
    return withExtendedLifetime(answer) {
      (0..<span.count).allSatisfy {
        index.number(of: span.address($0), hash: span.hashes[$0]) == nil
      }
    }
  }

  /// Adds the rows of a page; a row that another page has stays with that page.
  ///
  /// - Complexity: O(m) for m rows, amortized.
  mutating func insert<Cursor>(_ answer: PageAnswer<Model, Cursor>, as page: Int) {
    let span = answer.elements.span
    let isNew = hasNone(of: answer)
    withExtendedLifetime(answer) {
      for offset in 0..<span.count {
        let (item, hash) = (span.address(offset), span.hashes[offset])
        guard let number = isNew ? nil : index.number(of: item, hash: hash) else {
          index.append(item, hash: hash)
          places.append((1, page))
          if !isNew { bases.append(answer.page.models[offset]) }
          count += 1
          continue
        }
        bases[number] = answer.page.models[offset]
        places[number].pageCount += 1
        if places[number].pageCount == 1 {
          places[number].owner = page
          count += 1
        }
      }
    }
    if isNew { bases += answer.page.models }
  }

  /// Removes rows with a page that has them; a row that other pages have stays.
  ///
  /// - Complexity: O(m) for m rows, amortized.
  mutating func remove(_ items: [Model.ID]) {
    for item in items {
      guard let number = index.number(of: item), places[number].pageCount > 0 else { continue }
      places[number].pageCount -= 1
      if places[number].pageCount == 0 { count -= 1 }
    }
    if places.count > 64 + 2 * count { compact() }
  }

  /// Hands a row over to another page.
  mutating func setOwner(of item: Model.ID, to page: Int) {
    if let number = index.number(of: item) { places[number].owner = page }
  }

  /// Forgets the rows of dropped pages.
  private mutating func compact() {
    var kept = PageRows(index.elements.kernel)
    let span = index.elements.span
    withExtendedLifetime(index) {
      for number in places.indices where places[number].pageCount > 0 {
        kept.index.append(span.address(number), hash: span.hashes[number])
        kept.places.append(places[number])
        kept.bases.append(bases[number])
      }
    }
    kept.count = count
    self = kept
  }
}
