#if NATS
import CNATS
import Dispatch

/// Owns an object of the C library, and destroys it when the last reference to the handle goes.
///
/// `@unchecked` because the compiler does not know what the pointer points to. Proof: the library
/// guards each connection, context and subscription with a lock, and documents that all threads may use
/// them. The pointer never changes. The object is destroyed once, in `deinit`. No function of the
/// library is using it then, because `with` keeps the handle alive during each call.
final class Handle: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let ending: DispatchQueue
  private let destroy: @Sendable (OpaquePointer) -> Void

  /// Takes over an object.
  ///
  /// - Parameters:
  ///   - pointer: The object.
  ///   - ending: The queue on which to destroy it, since that can wait for threads of the library. A
  ///     connection and its objects share one queue.
  ///   - destroy: Destroys the object.
  init(
    _ pointer: OpaquePointer, endingOn ending: DispatchQueue,
    destroy: @escaping @Sendable (OpaquePointer) -> Void
  ) {
    (self.pointer, self.ending, self.destroy) = (pointer, ending, destroy)
  }

  /// Calls a closure with the object, and keeps it alive meanwhile.
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
