/// A page that has come, each identifier once, with the place that it was asked for.
struct PageAnswer<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  let place: PagePlace<Cursor>
  /// The page; each identifier is there at its first place, with its last model.
  let page: Page<Model, Cursor>
  /// The number of rows that the backend answered, repeated ones included: how far it has gone on.
  let rowCount: Int
  /// The identifiers, to be looked up.
  let items: IdentifierMap<Model.ID, Int>

  /// - Complexity: O(m) for m rows.
  init(_ page: Page<Model, Cursor>, from place: PagePlace<Cursor>) {
    self.place = place
    rowCount = page.models.count
    var page = page
    var items = IdentifierMap<Model.ID, Int>()
    var models: [Model] = []
    models.reserveCapacity(page.models.count)
    for model in page.models {
      if let index = items[model.id] {
        models[index] = model
      } else {
        items[model.id] = models.count
        models.append(model)
      }
    }
    page.models = models
    (self.page, self.items) = (page, items)
  }
}

/// What is to be written: a page at an end, or all pages of a refresh.
enum PageArrival<Model: Identifiable & Equatable & Sendable, Cursor: Sendable>: Sendable
where Model.ID: Sendable {
  case page(PageAnswer<Model, Cursor>, at: PageEnd)
  /// The pages in the order of the list; at least one.
  case refresh([PageAnswer<Model, Cursor>])
}

/// What came of writing an arrival that depends on the live list.
struct PageOutcome<Model: Identifiable & Equatable & Sendable>: Sendable where Model.ID: Sendable {
  /// The number of pages that were dropped at the far end.
  var droppedCount = 0
  /// What others had made of rows that left the list with their page.
  var kept: [(item: Model.ID, change: KeptChange<Model>)] = []
  /// The rows of dropped pages that other pages have as well, each with the page that it belongs to
  /// now.
  var handedOver: [(item: Model.ID, owner: Int)] = []
  /// The ends that what is shown is near to afterwards.
  var near = EndPair.neither
  /// Whether the page had rows that the loader had not seen.
  var isFruitful = true
}

/// What others have made of a row that is not in the list now.
struct KeptChange<Model: Sendable>: Sendable {
  /// What the backend said last.
  let base: Model
  /// What others have made of it; `nil` if they have deleted it.
  let model: Model?
}
