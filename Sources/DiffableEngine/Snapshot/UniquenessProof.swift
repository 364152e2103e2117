/// A proof that no two elements of a value are equal, with the hashes that it needed.
///
/// The value remembers it, so that a list that was compared once is neither checked nor hashed
/// again.
package final class UniquenessProof: Sendable {
  package let hashes: ElementHashes

  package init(hashes: ElementHashes) {
    self.hashes = hashes
  }
}

/// The stored hashes of the elements of a value, in their order; 0 for one that is not known yet.
///
/// `@unchecked Sendable`: only the comparison that made the object writes hashes, before anything
/// else has access to it. The shared object is a ``UniquenessProof``, which has all hashes; a known
/// hash is never written again.
package final class ElementHashes: @unchecked Sendable {
  package let values: UnsafeMutableBufferPointer<UInt32>

  package init(count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: 0)
  }

  deinit { values.deallocate() }
}
