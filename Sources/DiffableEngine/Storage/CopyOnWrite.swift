/// A value behind one reference.
///
/// A struct that has many references takes long to copy. Copies of this one share the value until
/// one of them is written to.
///
/// It may be shared between threads as an array may: code that writes to the value holds the only
/// reference, and code that shares it only reads.
@usableFromInline package struct CopyOnWrite<Value: Sendable>: @unchecked Sendable {
  @usableFromInline var storage: ManagedBuffer<Value, Never>

  @inlinable package init(_ value: Value) {
    storage = Self.store(value)
  }

  @inlinable static func store(_ value: Value) -> ManagedBuffer<Value, Never> {
    .create(minimumCapacity: 0) { _ in value }
  }

  @inlinable package var value: Value {
    _read {
      defer { withExtendedLifetime(storage) {} }
      yield place.pointee
    }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Self.store(value) }
      defer { withExtendedLifetime(storage) {} }
      yield &place.pointee
    }
  }

  /// Reads a part of the value; reading it through ``value`` may copy all of it first.
  @inlinable @inline(__always)
  package func read<Part>(_ part: (UnsafePointer<Value>) -> Part) -> Part {
    withExtendedLifetime(storage) { part(UnsafePointer(place)) }
  }

  /// The place of the value, valid while the storage is held.
  ///
  /// Access through the class would be checked for exclusivity, which access to the box already is.
  @inlinable var place: UnsafeMutablePointer<Value> {
    storage.withUnsafeMutablePointerToHeader { $0 }
  }
}

extension CopyOnWrite: CustomReflectable {
  /// The mirror of the value, so that printed values show what is in the box.
  @usableFromInline package var customMirror: Mirror { Mirror(reflecting: value) }
}
