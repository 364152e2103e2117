#if NATS
import Diffable
import Synchronization

/// Objects that the C library calls back, by number.
///
/// The library gets a number instead of a pointer. It may call back at any time, on any of its threads,
/// even after the object is gone. The number is unknown then, and nothing happens.
final class Registry<Object: AnyObject & Sendable>: Sendable {
  private struct Entry {
    weak var object: Object?
  }

  private struct Table {
    var next: UInt = 1
    var entries: [UInt: Entry] = [:]
  }

  private let table = Lock(Table())

  /// A number that no object has had.
  func number() -> UInt {
    table.withLock { table in
      defer { table.next += 1 }
      return table.next
    }
  }

  func register(_ object: Object, as number: UInt) {
    table.withLock { $0.entries[number] = Entry(object: object) }
  }

  func remove(_ number: UInt) {
    table.withLock { $0.entries[number] = nil }
  }

  /// The object with the number that was passed as a pointer.
  subscript(pointer: UnsafeMutableRawPointer?) -> Object? {
    let number = UInt(bitPattern: pointer)
    return table.withLock { $0.entries[number]?.object }
  }

  static func pointer(_ number: UInt) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: number)
  }
}
#endif
