/// That no two elements of a value are equal, and all their hashes, which were needed to find out.
///
/// A value remembers it, so that a list that was compared once is neither proved nor hashed again.
final class UniquenessProof: Sendable {
  let hashes: ElementHashes

  init(hashes: ElementHashes) {
    self.hashes = hashes
  }
}

/// The stored hashes of the elements of a value, in their order; 0 where one is not known yet.
///
/// `@unchecked Sendable`: hashes are written by the comparison that made the object, while nothing
/// else has it. What is shared is a ``UniquenessProof``, and that has all of them; a hash that is known
/// is never written again.
final class ElementHashes: @unchecked Sendable {
  let values: UnsafeMutableBufferPointer<UInt32>

  init(count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: 0)
  }

  deinit { values.deallocate() }
}
