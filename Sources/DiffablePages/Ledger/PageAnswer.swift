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
    let elements = HashedElements(hashing: self.items, kernel)
    let span = elements.span
    withExtendedLifetime(elements) {
      for number in 0..<span.count { index.append(span.address(number), hash: span.hashes[number]) }
    }
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

/// What others have changed in a row that is not in the list now.
struct KeptChange<Model: Sendable>: Sendable {
  /// The newest model of the backend.
  let base: Model
  /// The model of the others; `nil` if they have deleted the row.
  let model: Model?
}
