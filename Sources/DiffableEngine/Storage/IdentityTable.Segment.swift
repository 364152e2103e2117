extension IdentityTable {
  /// A part of the table: the entries whose hashes begin with the same bits.
  struct Segment: Sendable {
    static let fewestSlots = 16
    /// A thin segment of this size is merged with its other half instead of shrinking.
    static let slotsToMerge = 512
    static let mostSlots = 4096
    /// The number of bits from which on a segment grows instead of splitting.
    ///
    /// So the bits that choose the segment and those that choose the slot do not overlap.
    static let deepest = 18

    /// The number of upper bits that all its hashes share.
    let depth: Int
    /// Those bits.
    let prefix: Int
    var count = 0
    var slots: ContiguousArray<Entry>

    static let free = Entry(
      hash: 0, section: SectionKey(rawValue: 0), label: LeafLabel(rawValue: 0))

    init(depth: Int, prefix: Int, slotCount: Int = Self.fewestSlots) {
      self.depth = depth
      self.prefix = prefix
      slots = ContiguousArray(repeating: Self.free, count: slotCount)
    }

    var slotCount: Int { slots.count }

    /// Whether one more entry would make probing slow: more than 70 % of the slots would be used.
    var isFull: Bool { (count + 1) * 10 > slots.count * 7 }

    /// Whether less than a quarter of the slots is used.
    var isThin: Bool { count * 4 < slots.count }

    /// The same after the removal of an entry.
    var isThinWithoutOne: Bool { (count - 1) * 4 < slots.count }

    func home(of hash: UInt32) -> Int {
      Int(hash >> 1) & (slots.count - 1)
    }

    func forEachEntry(_ body: (Entry) -> Void) {
      for entry in slots where entry.hash != 0 { body(entry) }
    }

    func forEachEntry(hash: UInt32, _ body: (Entry) -> Bool) {
      slots.withUnsafeBufferPointer { slots in
        let mask = slots.count &- 1
        var slot = Int(hash >> 1) & mask
        while slots[slot].hash != 0 {
          if slots[slot].hash == hash, !body(slots[slot]) { return }
          slot = (slot &+ 1) & mask
        }
      }
    }

    /// The first entry of a hash; a free entry if there is none.
    func first(hash: UInt32) -> Entry {
      slots.withUnsafeBufferPointer { slots in
        let mask = slots.count &- 1
        var slot = Int(hash >> 1) & mask
        while slots[slot].hash != 0, slots[slot].hash != hash { slot = (slot &+ 1) & mask }
        return slots[slot]
      }
    }

    /// Adds an entry; returns whether there was another entry of the same hash.
    @discardableResult
    mutating func insert(_ entry: Entry) -> Bool {
      count += 1
      return slots.withUnsafeMutableBufferPointer { slots in
        let mask = slots.count &- 1
        var slot = Int(entry.hash >> 1) & mask
        var sawSameHash = false
        while slots[slot].hash != 0 {
          if slots[slot].hash == entry.hash { sawSameHash = true }
          slot = (slot &+ 1) & mask
        }
        slots[slot] = entry
        return sawSameHash
      }
    }

    /// Removes one equal entry and closes the gap by shifting the following entries back.
    mutating func remove(_ entry: Entry) -> Bool {
      let isFound = slots.withUnsafeMutableBufferPointer { slots in
        let mask = slots.count &- 1
        var gap = Int(entry.hash >> 1) & mask
        while slots[gap] != entry {
          guard slots[gap].hash != 0 else { return false }
          gap = (gap &+ 1) & mask
        }
        var slot = (gap &+ 1) & mask
        while slots[slot].hash != 0 {
          let home = Int(slots[slot].hash >> 1) & mask
          // The content of the gap does not matter, and processors cannot predict which entries may
          // move. So each entry is written to the gap, and without a branch the gap then follows it
          // or not.
          slots[gap] = slots[slot]
          gap = (slot &- home) & mask >= (slot &- gap) & mask ? slot : gap
          slot = (slot &+ 1) & mask
        }
        slots[gap] = Self.free
        return true
      }
      if isFound { count -= 1 }
      return isFound
    }

    mutating func resize(to slotCount: Int) {
      guard slotCount != slots.count else { return }
      let old = slots
      slots = ContiguousArray(repeating: Self.free, count: slotCount)
      count = 0
      for entry in old where entry.hash != 0 { insert(entry) }
    }
  }
}
