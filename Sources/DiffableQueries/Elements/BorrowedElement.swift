/// An element in a leaf, passed to user code without a copy.
///
/// A copy retains what the element holds. So it accesses memory that the code may not even use: a
/// filter over elements with strings takes twenty times as long. A value that cannot be copied is
/// passed by its address.
///
/// A structure with one stored property has the same layout as that property, so the address of one
/// is the address of the other. The leaf is held and not written to during the call.
///
/// All code that lends elements is compiled in this module, without their type: it passes addresses.
/// Code that knows the type loads the element first, which takes up to twice as long, or copies it.
struct BorrowedElement<Element>: ~Copyable {
  let value: Element
}

extension UnsafeRawPointer {
  /// The element at this address, to be lent.
  @inline(__always) func borrowed<Element>(as type: Element.Type) -> UnsafePointer<
    BorrowedElement<Element>
  > {
    assumingMemoryBound(to: BorrowedElement<Element>.self)
  }
}

// Only a parameter is borrowed: an expression would copy the element.

/// Calls a user's function with an element.
@inline(__always) func lend<Element, Result>(
  _ element: borrowing BorrowedElement<Element>, to body: (Element) -> Result
) -> Result {
  body(element.value)
}

/// Calls a user's function with two elements.
@inline(__always) func lend<Element>(
  _ left: borrowing BorrowedElement<Element>, _ right: borrowing BorrowedElement<Element>,
  to body: (Element, Element) -> Bool
) -> Bool {
  body(left.value, right.value)
}

/// Calls a user's function with the element at an address.
@usableFromInline func lend<Element, Result>(
  _ element: UnsafeRawPointer, to body: (Element) -> Result
) -> Result {
  lend(element.borrowed(as: Element.self).pointee, to: body)
}
