#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Android)
package import Android
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
/// Protects a value, with a lock of the C library.
///
/// Inside it nothing is compared, hashed, released, resumed or completed: all of that can run user
/// code, and taking the lock again in the same thread never ends.
///
/// `Synchronization.Mutex` on Linux passes a lock that others want on to a thread that sleeps: a million
/// calls from eight threads on two cores took 4 to 18 seconds, and take 0.06 with this one. Thread
/// sanitizers follow this one too.
///
/// Sendable: the value is accessed by ``withLock(_:)`` only, by one thread at a time.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let storage: ManagedBuffer<pthread_mutex_t, Value>

  package init(_ value: consuming Value) {
    storage = LockStorage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
    storage.withUnsafeMutablePointers { [value] mutex, element in
      pthread_mutex_init(mutex, nil)
      element.initialize(to: value)
    }
  }

  @inlinable package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeMutablePointers { mutex, value throws(Failure) in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
}

/// A lock and its value in one object, whose parts do not move.
///
/// The value comes last: an empty header has the address of the object, and a thread sanitizer takes
/// its access for one of the object.
private final class LockStorage<Value>: ManagedBuffer<pthread_mutex_t, Value> {
  deinit {
    withUnsafeMutablePointers { mutex, value in
      value.deinitialize(count: 1)
      _ = pthread_mutex_destroy(mutex)
    }
  }
}
#else
package import Synchronization

/// Protects a value, with the lock of the system.
///
/// Inside it nothing is compared, hashed, released, resumed or completed: all of that can run user
/// code, and taking the lock again in the same thread is a crash.
package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
