/// The differ that textbooks and most libraries have, without any improvement.
///
/// Source: Paul Heckel, “A technique for isolating differences between files” (1978), for
/// identifiers that are unique, so that the passes over unique lines do all the work.
struct Textbook {
  /// Old positions without a counterpart, descending.
  private(set) var deletes: [Int] = []
  /// New positions without a counterpart, ascending.
  private(set) var inserts: [Int] = []
  /// Items that are not where deletes and inserts alone put them.
  private(set) var moves: [(from: Int, to: Int)] = []
  /// New positions of models that differ from what they were.
  private(set) var updates: [Int] = []

  init<ID: Hashable>(from old: [ID], to new: [ID]) {
    self.init(from: old, to: new, by: { $0 }, differ: { _, _ in false })
  }

  init<Model: Identifiable & Equatable>(from old: [Model], to new: [Model]) {
    self.init(from: old, to: new, by: \.id, differ: !=)
  }

  /// Always inlined, so that identifiers pay nothing for what only models need.
  @inline(__always) private init<Element, ID: Hashable>(
    from old: [Element], to new: [Element], by id: (Element) -> ID,
    differ: (Element, Element) -> Bool
  ) {
    var oldPositions = [ID: Int](minimumCapacity: old.count)
    for (position, element) in old.enumerated() { oldPositions[id(element)] = position }

    var origins = [Int?](repeating: nil, count: new.count)
    var survives = [Bool](repeating: false, count: old.count)
    for (position, element) in new.enumerated() {
      guard let origin = oldPositions[id(element)] else { continue }
      origins[position] = origin
      survives[origin] = true
      if differ(old[origin], element) { updates.append(position) }
    }

    var deletesBefore = [Int](repeating: 0, count: old.count)
    for position in old.indices {
      deletesBefore[position] = deletes.count
      if !survives[position] { deletes.append(position) }
    }
    deletes.reverse()

    for (position, origin) in origins.enumerated() {
      guard let origin else {
        inserts.append(position)
        continue
      }
      if origin - deletesBefore[origin] + inserts.count != position {
        moves.append((origin, position))
      }
    }
  }
}
