/// An element in a leaf, lent to code of the user without a copy.
///
/// A copy retains what the element holds, and so reads memory that the code may not even look at: a
/// filter over elements with strings takes twenty times as long. What cannot be copied is passed by
/// its address.
///
/// A structure with one stored property is laid out as that property is, so an address of the one is
/// an address of the other. The leaf is held and not written to while the element is lent.
@usableFromInline struct BorrowedElement<Element>: ~Copyable {
  @usableFromInline let value: Element
}

extension UnsafeRawPointer {
  /// The element at this address, to be lent.
  @inlinable func borrowed<Element>(as type: Element.Type) -> UnsafePointer<
    BorrowedElement<Element>
  > {
    assumingMemoryBound(to: BorrowedElement<Element>.self)
  }
}

// Inlined, these would copy.

/// Calls a function of the user with an element.
@inlinable @inline(never)
func lend<Element, Result>(
  _ element: borrowing BorrowedElement<Element>, to body: (Element) -> Result
) -> Result {
  body(element.value)
}

/// Calls a function of the user with two elements.
@inlinable @inline(never)
func lend<Element>(
  _ left: borrowing BorrowedElement<Element>, _ right: borrowing BorrowedElement<Element>,
  to body: (Element, Element) -> Bool
) -> Bool {
  body(left.value, right.value)
}
