#if ThreadSanitizer
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A lock that thread sanitizers understand, for builds with one.
///
/// They follow `pthread` locks, but not `Synchronization.Mutex` on Linux, and would report every
/// access under it.
///
/// Sendable: the value is accessed by ``withLock(_:)`` only, by one thread at a time.
package final class Lock<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// With a byte beside the value: one without a size, as `Void`, would have the address of the
  /// object itself, whose header is read outside of the lock.
  private var contents: (value: Value, byte: UInt8)

  package init(_ value: consuming Value) {
    contents = (value, 0)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&contents.value)
  }
}
#else
package import Synchronization

/// Protects a value; a build with a thread sanitizer has another one.
///
/// Inside it nothing is compared, hashed, released, resumed or completed: all of that can run user
/// code, and taking a second lock in the same thread is a crash.
package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
