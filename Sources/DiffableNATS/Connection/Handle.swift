#if NATS
import CNATS
import Dispatch

/// An object of the C library, which is destroyed when nobody has the handle any more.
///
/// `@unchecked`, as the compiler does not know what a pointer points to. Proof: the library guards
/// each of its connections, contexts and subscriptions with a lock, and says that all threads may use
/// them. The pointer never changes. The object is destroyed once, in `deinit`, and nobody is inside a
/// function of the library with it then, since whoever calls one has the handle: see `with`.
final class Handle: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let ending: DispatchQueue
  private let destroy: @Sendable (OpaquePointer) -> Void

  /// Takes over an object.
  ///
  /// - Parameters:
  ///   - pointer: The object.
  ///   - ending: Where it is destroyed, since that can wait for threads of the library. One queue for
  ///     a connection and what belongs to it.
  ///   - destroy: Destroys it.
  init(
    _ pointer: OpaquePointer, endingOn ending: DispatchQueue,
    destroy: @escaping @Sendable (OpaquePointer) -> Void
  ) {
    (self.pointer, self.ending, self.destroy) = (pointer, ending, destroy)
  }

  /// Calls functions of the library with the object, which lives as long as they run.
  func with<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(pointer)
  }

  deinit {
    let address = UInt(bitPattern: pointer)
    let destroy = destroy
    ending.async {
      if let pointer = OpaquePointer(bitPattern: address) { destroy(pointer) }
    }
  }
}
#endif
