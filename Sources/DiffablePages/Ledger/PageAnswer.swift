import Diffable

/// A page that has arrived, with each identifier once, and the place where it was requested.
struct PageAnswer<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  let place: PagePlace<Cursor>
  /// The page; each identifier is at its first place, with its last model.
  let page: Page<Model, Cursor>
  /// The number of rows in the answer, repeated ones included: how far the backend has advanced.
  let rowCount: Int
  /// The identifiers of the rows, in order.
  let items: [Model.ID]
  /// The identifiers with their numbers.
  let index: ElementIndex

  /// - Parameter kernel: The kernel of the identifiers.
  /// - Complexity: O(m) for m rows.
  init(
    _ page: Page<Model, Cursor>, from place: PagePlace<Cursor>, _ kernel: ElementKernel
  ) {
    self.place = place
    rowCount = page.models.count
    let items = page.models.map { $0.id }
    if let index = ElementIndex(HashedElements(hashing: items, kernel)) {
      (self.page, self.items, self.index) = (page, items, index)
      return
    }
    var latest = IdentifierMap<Model.ID, Model>()
    for model in page.models { latest[model.id] = model }
    var unique = page
    unique.models = latest.elements.map { $0.value }
    self.page = unique
    self.items = latest.elements.map { $0.key }
    var index = ElementIndex(kernel)
    index.set(contentsOf: HashedElements(hashing: self.items, kernel))
    self.index = index
  }

  /// The identifiers with their hashes, in order.
  var elements: HashedElements { index.elements }

  /// Whether a row is among those of the answer.
  func contains(_ item: Model.ID) -> Bool { index.number(of: item) != nil }
}

/// What is to be written: a page at an end, or all pages of a refresh.
enum PageArrival<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  case page(PageAnswer<Model, Cursor>, at: PageEnd)
  /// The pages in the order of the list; at least one.
  case refresh([PageAnswer<Model, Cursor>])

  /// The end at which a page has arrived; `nil` for a refresh.
  var end: PageEnd? {
    if case .page(_, let end) = self { end } else { nil }
  }

  /// Whether a row has arrived.
  func contains(_ item: Model.ID) -> Bool {
    switch self {
    case .page(let answer, at: _): answer.contains(item)
    case .refresh(let answers): answers.contains { $0.contains(item) }
    }
  }
}

/// The results of writing an arrival that depend on the live list.
struct PageOutcome<Model: Identifiable & Equatable & Sendable>: Sendable where Model.ID: Sendable {
  /// The number of pages that were dropped at the far end.
  var droppedCount = 0
  /// What others had changed in rows that left the list with their page.
  var kept: [(item: Model.ID, change: KeptChange<Model>)] = []
  /// The rows of dropped pages that other pages have too, each with its new page.
  var handedOver: [(item: Model.ID, owner: Int)] = []
  /// Where rows of others were between rows that have left, by the end at which these were.
  var stretches = EndPair<DisplacedRows<Model.ID>.Stretch?>(start: nil, end: nil)
  /// Rows of others that need not be remembered any longer.
  var settled = EndPair<[Model.ID]>(start: [], end: [])
  /// The ends that the shown rows are near to afterwards.
  var near = EndPair.neither
  /// Whether the page had rows that are new to the loader.
  var isFruitful = true
  /// What the backend and others have changed in contradiction.
  var conflicts: [PageConflict<Model>] = []
}

/// What others have changed in a row whose page is not loaded now.
struct KeptChange<Model: Sendable>: Sendable {
  /// The newest model of the backend.
  let base: Model
  /// The model of the others; `nil` if they have deleted the row, or have moved it to another section:
  /// then the list has it, unless they have deleted it since.
  let model: Model?
}

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
          index.set(item, hash: hash)
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
        kept.index.set(span.address(number), hash: span.hashes[number])
        kept.places.append(places[number])
        kept.bases.append(bases[number])
      }
    }
    kept.count = count
    self = kept
  }
}
