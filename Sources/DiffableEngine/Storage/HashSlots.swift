/// Numbers filed by hash: open addressing with linear probing, for a table that is not removed from.
///
/// It stores no hashes: they are read from where they are stored.
struct HashSlots {
  /// By slot: a number plus 1, or 0 if the slot is free.
  ///
  /// At most half of the slots are used.
  private var slots: [Int32]

  /// The number of entries up to which half of the slots are free.
  var capacity: Int { slots.count / 2 }

  /// Creates a table without room, in which nothing may be sought.
  init() { slots = [] }

  /// Creates an empty table.
  ///
  /// - Parameter capacity: The maximum number of entries.
  init(capacity: Int) {
    precondition(capacity < Int32.max, "More numbers than a table can hold")
    var slotCount = 16
    while slotCount < capacity * 2 { slotCount *= 2 }
    slots = Array(repeating: 0, count: slotCount)
  }

  /// The slot of the first number in the probe sequence of a hash that satisfies a condition; the free
  /// slot at the end of the sequence if there is none.
  @inline(__always) private static func slot(
    in slots: UnsafeBufferPointer<Int32>, hash: UInt32, where isFound: (Int) -> Bool
  ) -> Int {
    let mask = slots.count &- 1
    var slot = Int(hash &>> 1) & mask
    while slots[slot] != 0, !isFound(Int(slots[slot] &- 1)) { slot = (slot &+ 1) & mask }
    return slot
  }

  /// The first number in the probe sequence of a hash that satisfies a condition.
  @inline(__always) func first(hash: UInt32, where isFound: (Int) -> Bool) -> Int? {
    slots.withUnsafeBufferPointer { slots in
      let slot = Self.slot(in: slots, hash: hash, where: isFound)
      return slots[slot] == 0 ? nil : Int(slots[slot] &- 1)
    }
  }

  /// Files a number, unless an entry satisfies a condition; returns whether it did.
  @discardableResult
  @inline(__always) mutating func insert(
    _ number: Int, hash: UInt32, unless isSame: (Int) -> Bool = { _ in false }
  ) -> Bool {
    slots.withUnsafeMutableBufferPointer { slots in
      let slot = Self.slot(in: UnsafeBufferPointer(slots), hash: hash, where: isSame)
      guard slots[slot] == 0 else { return false }
      slots[slot] = Int32(truncatingIfNeeded: number &+ 1)
      return true
    }
  }

  /// Files a number in the place of another one, or else as a new one; returns whether there is one.
  @inline(__always) mutating func replace(
    _ number: Int, hash: UInt32, where isFound: (Int) -> Bool
  ) -> Bool {
    slots.withUnsafeMutableBufferPointer { slots in
      let slot = Self.slot(in: UnsafeBufferPointer(slots), hash: hash, where: isFound)
      defer { slots[slot] = Int32(truncatingIfNeeded: number &+ 1) }
      return slots[slot] != 0
    }
  }

  /// Finds the first number of each of some hashes; -1 if there is none.
  ///
  /// Reading a slot and the hash of its number mostly waits for memory. Here the waiting for one
  /// does not depend on another.
  ///
  /// - Parameter known: By number: its hash.
  func readFirst(
    of hashes: UnsafeBufferPointer<UInt32>, hashes known: UnsafeMutableBufferPointer<UInt32>,
    into found: UnsafeMutableBufferPointer<Int32>
  ) {
    slots.withUnsafeBufferPointer { slots in
      let mask = slots.count &- 1
      for index in hashes.indices { found[index] = slots[Int(hashes[index] &>> 1) & mask] &- 1 }
      for index in hashes.indices where found[index] >= 0 {
        let hash = hashes[index]
        var slot = Int(hash &>> 1) & mask
        while found[index] >= 0, known[Int(found[index])] != hash {
          slot = (slot &+ 1) & mask
          found[index] = slots[slot] &- 1
        }
      }
    }
  }
}

/// Rules out most hashes that are not in a set of hashes, by one bit for each.
package struct HashFilter {
  private var words: [UInt64]

  /// Creates an empty set with at least 32 bits for each hash, so that few share a bit.
  init(capacity: Int) {
    var count = 8
    while count * 2 < capacity { count *= 2 }
    words = Array(repeating: 0, count: count)
  }

  package init(_ hashes: [UInt32]) {
    self.init(capacity: hashes.count)
    hashes.withUnsafeBufferPointer { add($0) { _ in } }
  }

  /// The place of the bit of a hash, whose own lowest bit is always set.
  @inline(__always)
  private static func place(of hash: UInt32, _ mask: Int) -> (word: Int, bit: UInt64) {
    (Int(hash &>> 7) & mask, 1 &<< UInt64(hash &>> 1 & 63))
  }

  /// Adds hashes, and calls a function with each that may have been in the set already.
  @inline(__always)
  mutating func add(_ hashes: UnsafeBufferPointer<UInt32>, meeting body: (UInt32) -> Void) {
    words.withUnsafeMutableBufferPointer { words in
      let mask = words.count &- 1
      for hash in hashes {
        let (word, bit) = Self.place(of: hash, mask)
        let present = words[word]
        words[word] = present | bit
        if present & bit != 0 { body(hash) }
      }
    }
  }

  /// Calls a function with the index of each hash that may be in the set.
  @inline(__always)
  package func forEachCandidate(in hashes: UnsafeBufferPointer<UInt32>, _ body: (Int) -> Void) {
    words.withUnsafeBufferPointer { words in
      let mask = words.count &- 1
      for index in hashes.indices {
        let (word, bit) = Self.place(of: hashes[index], mask)
        if words[word] & bit != 0 { body(index) }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt32> {
  /// The index of the first hash that equals another one, in a range.
  ///
  /// It compares many at a time, so that it takes a small fraction of a look at each.
  func firstIndex(ofHash hash: UInt32, in range: Range<Int>) -> Int? {
    guard let baseAddress, !range.isEmpty else { return nil }
    let sought = SIMD16(repeating: hash)
    var index = range.lowerBound
    while index &+ 16 <= range.upperBound {
      let hashes = UnsafeRawPointer(baseAddress + index).loadUnaligned(as: SIMD16<UInt32>.self)
      if any(hashes .== sought) { break }
      index &+= 16
    }
    while index < range.upperBound, self[index] != hash { index &+= 1 }
    return index < range.upperBound ? index : nil
  }
}
