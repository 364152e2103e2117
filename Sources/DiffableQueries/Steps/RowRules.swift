public import Diffable

/// A filter of rows.
struct RowTest: Sendable {
  /// Returns which of some adjacent candidates are kept, as bits; the candidates are bits too.
  ///
  /// Only candidates are tested. There are at most 64 adjacent elements, as in a leaf.
  let select: @Sendable (_ first: UnsafeRawPointer, _ count: Int, _ candidates: UInt64) -> UInt64
}

extension RowTest {
  init<Element>(_ isIncluded: @escaping @Sendable (Element) -> Bool) {
    let stride = MemoryLayout<Element>.stride
    self.init { first, count, candidates in
      var (element, bit, kept) = (first, 1 as UInt64, candidates)
      for _ in 0..<count {
        if candidates & bit != 0,
          !lend(element.borrowed(as: Element.self).pointee, to: isIncluded)
        {
          kept &= ~bit
        }
        element += stride
        bit &<<= 1
      }
      return kept
    }
  }

  func keeps(_ row: RowPlace) -> Bool { select(row.element, 1, 1) != 0 }

  /// Keeps what both keep; the second is called only for what the first keeps.
  static func && (left: RowTest, right: RowTest) -> RowTest {
    RowTest { first, count, candidates in
      right.select(first, count, left.select(first, count, candidates))
    }
  }
}

/// A sort order of rows.
///
/// Rows that it does not distinguish keep their previous order.
struct RowOrder: Sendable {
  /// Whether the first element belongs before the second.
  let areInOrder: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool
}

extension RowOrder {
  init<Element>(_ areInOrder: @escaping @Sendable (Element, Element) -> Bool) {
    self.init {
      lend(
        $0.borrowed(as: Element.self).pointee, $1.borrowed(as: Element.self).pointee,
        to: areInOrder)
    }
  }

  /// Whether the first element belongs before the second; `nil` if the order does not tell.
  func verdict(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool? {
    if areInOrder(left, right) { return true }
    return areInOrder(right, left) ? false : nil
  }

  /// This order, with another one to break ties.
  func then(_ other: RowOrder) -> RowOrder {
    RowOrder { verdict($0, $1) ?? other.areInOrder($0, $1) }
  }
}

/// The rows of one section.
@usableFromInline struct RowGroup<SectionID: Hashable & Sendable> {
  @usableFromInline let section: SectionID
  @usableFromInline var rows: [RowPlace]

  @inlinable init(section: SectionID, rows: [RowPlace]) {
    (self.section, self.rows) = (section, rows)
  }
}

/// The section of each row, and the order of the sections; compiled where the types are known.
@usableFromInline struct RowKeys<SectionID: Hashable & Sendable>: Sendable {
  /// Groups rows by their sections, in the order of their first rows.
  let groups: @Sendable ([RowPlace]) -> [RowGroup<SectionID>]
  let areInOrder: @Sendable (SectionID, SectionID) -> Bool

  @inlinable init<Element>(
    _ type: Element.Type, _ section: @escaping @Sendable (Element) -> SectionID,
    _ areInOrder: @escaping @Sendable (SectionID, SectionID) -> Bool
  ) {
    self.init(
      groups: { rows in
        if rows.count == 1 {
          return [RowGroup(section: lend(rows[0].element, to: section), rows: rows)]
        }
        var groups: [RowGroup<SectionID>] = []
        var places = IdentifierMap<SectionID, Int>()
        var last = 0
        for row in rows {
          let section = lend(row.element, to: section)
          // Adjacent rows often share their section, and comparing costs less than hashing.
          if last < groups.count, groups[last].section == section {
            groups[last].rows.append(row)
          } else if let place = places[section] {
            groups[place].rows.append(row)
            last = place
          } else {
            last = groups.count
            places[section] = last
            groups.append(RowGroup(section: section, rows: [row]))
          }
        }
        return groups
      }, areInOrder: areInOrder)
  }

  @usableFromInline init(
    groups: @escaping @Sendable ([RowPlace]) -> [RowGroup<SectionID>],
    areInOrder: @escaping @Sendable (SectionID, SectionID) -> Bool
  ) {
    self.groups = groups
    self.areInOrder = areInOrder
  }
}

/// A transformation of each row into what the step shows for it.
@usableFromInline struct RowMap: Sendable {
  /// The kernel of the models that it makes.
  let models: ElementKernel
  /// Writes the model of an element to uninitialised memory.
  let make: @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void

  @usableFromInline init<Element, Model: Equatable & Sendable>(
    _ models: ElementKernel, _ transform: @escaping @Sendable (Element) -> Model
  ) {
    self.models = models
    make = { element, model in
      model.assumingMemoryBound(to: Model.self).initialize(to: lend(element, to: transform))
    }
  }
}
