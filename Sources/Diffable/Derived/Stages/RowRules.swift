/// Which rows a stage keeps; compiled where the type of the elements is known.
@usableFromInline struct RowTest: Sendable {
  /// Takes out the rows that are not kept.
  let filter: @Sendable (inout [RowPlace]) -> Void

  @inlinable init<Element>(_ type: Element.Type, _ isIncluded: @escaping @Sendable (Element) -> Bool)
  {
    self.init { rows in
      rows.removeAll { !isIncluded($0.element.assumingMemoryBound(to: Element.self).pointee) }
    }
  }

  @usableFromInline init(filter: @escaping @Sendable (inout [RowPlace]) -> Void) {
    self.filter = filter
  }

  func keeps(_ row: RowPlace) -> Bool {
    var rows = [row]
    filter(&rows)
    return !rows.isEmpty
  }

  /// Keeps what both keep.
  static func && (left: RowTest, right: RowTest) -> RowTest {
    RowTest { rows in
      left.filter(&rows)
      right.filter(&rows)
    }
  }
}

/// In what order a stage arranges rows; compiled where the type of the elements is known.
///
/// Rows of which neither is first keep the order of their ranks.
@usableFromInline struct RowOrder: Sendable {
  /// Whether the first element belongs before the second.
  @usableFromInline let areInOrder: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  /// Sorts rows that are in the order of their ranks.
  let sort: @Sendable (inout [RowPlace]) -> Void

  @inlinable init<Element>(
    _ type: Element.Type, _ areInOrder: @escaping @Sendable (Element, Element) -> Bool
  ) {
    self.init {
      areInOrder(
        $0.assumingMemoryBound(to: Element.self).pointee,
        $1.assumingMemoryBound(to: Element.self).pointee)
    } sort: { rows in
      // The sort of the standard library is stable.
      rows.sort {
        areInOrder(
          $0.element.assumingMemoryBound(to: Element.self).pointee,
          $1.element.assumingMemoryBound(to: Element.self).pointee)
      }
    }
  }

  @usableFromInline init(
    areInOrder: @escaping @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool,
    sort: @escaping @Sendable (inout [RowPlace]) -> Void
  ) {
    self.areInOrder = areInOrder
    self.sort = sort
  }

  /// This order, and another one where it does not tell.
  func then(_ other: RowOrder) -> RowOrder {
    RowOrder {
      if areInOrder($0, $1) { return true }
      return areInOrder($1, $0) ? false : other.areInOrder($0, $1)
    } sort: { rows in
      // Stable, so what was sorted before decides where this order does not tell.
      other.sort(&rows)
      sort(&rows)
    }
  }

  /// Whether the first row belongs before the second, by the order and then by their ranks.
  static func areInOrder(_ left: RowPlace, _ right: RowPlace, by order: RowOrder?) -> Bool {
    if let order {
      if order.areInOrder(left.element, right.element) { return true }
      if order.areInOrder(right.element, left.element) { return false }
    }
    return left.rank < right.rank
  }
}

/// Which section each row goes to, and how the sections are ordered.
@usableFromInline struct RowKeys<SectionID: Hashable & Sendable>: Sendable {
  /// The sections of rows, in their order.
  let sections: @Sendable ([RowPlace]) -> [SectionID]
  let areInOrder: @Sendable (SectionID, SectionID) -> Bool

  @inlinable init<Element>(
    _ type: Element.Type, _ section: @escaping @Sendable (Element) -> SectionID,
    _ areInOrder: @escaping @Sendable (SectionID, SectionID) -> Bool
  ) {
    self.init(
      sections: { rows in
        rows.map { section($0.element.assumingMemoryBound(to: Element.self).pointee) }
      }, areInOrder: areInOrder)
  }

  @usableFromInline init(
    sections: @escaping @Sendable ([RowPlace]) -> [SectionID],
    areInOrder: @escaping @Sendable (SectionID, SectionID) -> Bool
  ) {
    self.sections = sections
    self.areInOrder = areInOrder
  }
}

/// What a stage shows for each row instead of what it was given.
@usableFromInline struct RowMap: Sendable {
  /// Of the models that it makes.
  let models: ElementKernel
  /// Writes the model of an element to memory that holds nothing.
  let make: @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void

  @inlinable init<Element, Model: Equatable & Sendable>(
    _ transform: @escaping @Sendable (Element) -> Model
  ) {
    self.init(models: ElementKernel(models: Model.self)) { element, model in
      model.initializeMemory(
        as: Model.self, to: transform(element.assumingMemoryBound(to: Element.self).pointee))
    }
  }

  @usableFromInline init(
    models: ElementKernel,
    make: @escaping @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    self.models = models
    self.make = make
  }
}
