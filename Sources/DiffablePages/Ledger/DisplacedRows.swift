import Diffable

/// Where rows of others were between rows of dropped pages.
///
/// Such rows stay in the list when the pages go, next to the rows that remain. When the pages come
/// back, their rows are inserted around them.
struct DisplacedRows<ItemID: Hashable & Sendable>: Sendable {
  /// Rows of dropped pages and rows of others between them, in the order of the list.
  struct Stretch: Sendable {
    private(set) var order: [ItemID]
    /// The rows of others among them that have not found their place again.
    var others: IdentifierSet<ItemID>

    init(order: [ItemID], others: IdentifierSet<ItemID>) {
      (self.order, self.others) = (order, others)
    }

    /// Gives rows of others other names.
    fileprivate mutating func rename(_ newName: (ItemID) -> ItemID?) {
      var names = IdentifierMap<ItemID, ItemID>()
      for item in others.inOrder { names[item] = newName(item) }
      guard !names.isEmpty else { return }
      order = order.map { names[$0] ?? $0 }
      others = IdentifierSet(others.inOrder.map { names[$0] ?? $0 })
    }

    /// The rows of the pages on one side of a row, the nearest first.
    fileprivate func rows(_ side: PageEnd, of item: ItemID) -> [ItemID] {
      guard let place = order.firstIndex(of: item) else { return [] }
      let side = side == .start ? Array(order[..<place].reversed()) : Array(order[(place + 1)...])
      return side.filter { !others.contains($0) }
    }
  }

  private var stretches = EndPair<[Stretch]>(start: [], end: [])

  /// Whether nothing is known at an end.
  func isEmpty(at end: PageEnd) -> Bool { stretches[end].isEmpty }

  /// The rows of others at an end.
  func others(at end: PageEnd) -> [ItemID] { stretches[end].flatMap(\.others.inOrder) }

  /// Whether a row of others is at an end.
  func contains(_ item: ItemID, at end: PageEnd) -> Bool {
    stretches[end].contains { $0.others.contains(item) }
  }

  mutating func append(_ stretch: Stretch, at end: PageEnd) { stretches[end].append(stretch) }

  /// Forgets rows of others, which have found their place or have been moved.
  mutating func settle(_ items: [ItemID], at end: PageEnd) {
    guard !items.isEmpty else { return }
    for index in stretches[end].indices {
      for item in items { stretches[end][index].others.remove(item) }
    }
    stretches[end].removeAll(where: \.others.isEmpty)
  }

  mutating func removeAll(at end: PageEnd) { stretches[end] = [] }

  /// Gives rows of others the names that they have now.
  ///
  /// - Parameter newName: The new name of a row; `nil` if it has the same one.
  /// - Complexity: O(k) for k rows of others, and for rows of dropped pages around those with new names.
  mutating func rename(_ newName: (ItemID) -> ItemID?) {
    for end in PageEnd.allCases {
      for index in stretches[end].indices { stretches[end][index].rename(newName) }
    }
  }

  /// A place of a row of others among rows that arrive.
  struct Place {
    /// The number of arriving rows before it.
    var count: Int
    /// Whether it cannot be any other, whatever arrives later.
    var isSettled: Bool
  }

  /// The place of a row of others among the rows that arrive at an end.
  ///
  /// - Parameters:
  ///   - arriving: The numbers of the arriving rows.
  ///   - isLoaded: Whether a row is in a loaded page.
  /// - Complexity: O(s + m) for s stretches, and m rows of a dropped page.
  func place(
    of item: ItemID, at end: PageEnd, among arriving: IdentifierMap<ItemID, Int>,
    isLoaded: (ItemID) -> Bool
  ) -> Place? {
    guard let stretch = stretches[end].last(where: { $0.others.contains(item) }) else { return nil }
    let (outer, inner) = (stretch.rows(end, of: item), stretch.rows(end.far, of: item))
    /// Next to an arriving row, on the inner side of an outer one and the other way round.
    func place(besides number: Int, isOuter: Bool) -> Int {
      (end == .start) == isOuter ? number + 1 : number
    }
    if let number = outer.lazy.compactMap({ arriving[$0] }).first {
      return Place(count: place(besides: number, isOuter: true), isSettled: true)
    }
    if let (distance, number) = inner.enumerated().lazy.compactMap({ distance, row in
      arriving[row].map { (distance, $0) }
    }).first {
      // Rows that were nearer to it may be on a page that is farther away.
      return Place(
        count: place(besides: number, isOuter: false), isSettled: outer.isEmpty && distance == 0)
    }
    // Its neighbours are gone from the backend, or are on a page that is farther away.
    let isPassed = inner.contains(where: isLoaded)
    return Place(count: (end == .start) == isPassed ? arriving.count : 0, isSettled: isPassed)
  }
}
