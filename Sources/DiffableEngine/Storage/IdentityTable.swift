/// Maps the hash of an element to the leaf that holds it.
///
/// It has one entry for each element: its hash, the key of its section and the label of its leaf.
/// The table never sees an element, so its code is not generic. Its content is a function of the
/// trees: it can be rebuilt from the hashes stored in their leaves, and it follows an edit by the
/// leaves that were removed and added. Equal entries are interchangeable.
///
/// It uses extendible hashing. The upper bits of a hash choose a segment through the directory, the
/// lower ones a slot in it by linear probing. A full segment is split in two, whatever the size of
/// the table, so no single insert pays for rehashing all of it. Arrays are copied when written
/// while shared, so a copy of the table costs only later edits, segment by segment.
///
/// Source: Fagin et al., “Extendible hashing – a fast access method for dynamic files” (1979).
///
/// Invariants:
/// 1. `directory.count` is 2 to the power of `depth`; each slot leads to the segment with the
///    prefix of the slot.
/// 2. `count` is the number of entries in all segments.
/// 3. In a segment, the slots from the home of an entry to the entry are all used.
/// 4. `deepest` segments have the depth of the directory; there is at least one, unless that is 0.
package struct IdentityTable: Sendable {
  /// The entry of an element; a hash of 0 marks a free slot.
  ///
  /// The offset in the leaf is a hint. It is ignored when entries are compared.
  package struct Entry: Hashable, Sendable {
    package let hash: UInt32
    package let section: SectionKey
    /// The label of the leaf and, in the lowest 8 bits, the hint.
    let place: UInt64

    package init(hash: UInt32, section: SectionKey, label: LeafLabel, hint: Int = 0) {
      self.hash = hash
      self.section = section
      place = label.rawValue << 8 | UInt64(UInt8(truncatingIfNeeded: hint))
    }

    package var label: LeafLabel { LeafLabel(rawValue: place >> 8) }

    /// The offset of the element in its leaf when it was filed; edits may have shifted it.
    var hint: Int { Int(truncatingIfNeeded: place & 0xff) }

    package static func == (left: Entry, right: Entry) -> Bool {
      left.hash == right.hash && left.section == right.section && left.label == right.label
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(hash)
      hasher.combine(section)
      hasher.combine(label)
    }
  }

  package internal(set) var count = 0
  var depth = 0
  var deepest = 1
  var directory: ContiguousArray<Int32> = [0]
  var segments: ContiguousArray<Segment> = [Segment(depth: 0, prefix: 0)]

  package init() {}

  /// Creates an empty table with room for some entries, so that adding them moves none.
  package init(capacity: Int) {
    var slotCount = Segment.fewestSlots
    while slotCount < Segment.mostSlots, slotCount * 5 < capacity * 8 { slotCount *= 2 }
    while (slotCount << depth) * 5 < capacity * 8, depth < Segment.deepest { depth += 1 }
    deepest = 1 << depth
    directory = ContiguousArray(0..<Int32(deepest))
    segments = ContiguousArray(
      (0..<deepest).map { Segment(depth: depth, prefix: $0, slotCount: slotCount) })
  }
}

/// The number of a section inside one version, which the section keeps when it moves.
package struct SectionKey: Hashable, Sendable {
  var rawValue: UInt32

  /// The hash under which a table files the section.
  ///
  /// Keys are consecutive numbers, so one multiplication spreads them.
  var tableHash: UInt32 { rawValue &* 0x9E37_79B1 | 1 }

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

extension IdentityTable {
  /// Calls a function with each entry of a hash, until it returns `false`.
  ///
  /// - Complexity: O(k) for k entries in the probe sequence of the hash, expected O(1).
  package func forEachEntry(hash: UInt32, _ body: (Entry) -> Bool) {
    segments[segment(for: hash)].forEachEntry(hash: hash, body)
  }

  /// The next entry of a hash; `nil` after the last one.
  ///
  /// - Parameter probe: Where the search is; begin with `nil`.
  /// - Complexity: The same as ``forEachEntry(hash:_:)`` for all entries together.
  func nextEntry(hash: UInt32, _ probe: inout Int?) -> Entry? {
    segments[segment(for: hash)].nextEntry(hash: hash, &probe)
  }

  /// Whether there is an entry of a hash.
  ///
  /// - Complexity: The same as ``forEachEntry(hash:_:)`` up to the first entry.
  package func holds(hash: UInt32) -> Bool {
    segments[segment(for: hash)].first(hash: hash).hash != 0
  }

  /// Whether there are at least two entries of a hash.
  ///
  /// - Complexity: The same as ``forEachEntry(hash:_:)`` up to the second entry.
  func holdsSeveral(hash: UInt32) -> Bool {
    var count = 0
    forEachEntry(hash: hash) { _ in
      count += 1
      return count < 2
    }
    return count > 1
  }

  func segment(for hash: UInt32) -> Int {
    Int(directory[Self.slot(of: hash, depth: depth)])
  }

  /// The directory slot of a hash: its upper bits, as many as the depth.
  static func slot(of hash: UInt32, depth: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &<< UInt64(truncatingIfNeeded: depth)) &>> 32)
  }

  /// Adds an entry; returns whether there was another entry of the same hash.
  ///
  /// - Complexity: expected O(1), at worst a split of one segment.
  @discardableResult
  package mutating func insert(_ entry: Entry) -> Bool {
    var index = segment(for: entry.hash)
    while segments[index].isFull {
      // Hashes that are not spread cannot be split: then the segment grows instead.
      let canSpread = (1 << segments[index].depth) * Segment.mostSlots < 4 * (count + 1)
      if segments[index].slotCount < Segment.mostSlots
        || !canSpread || segments[index].depth >= Segment.deepest
      {
        segments[index].resize(to: segments[index].slotCount * 2)
      } else {
        split(index)
        index = segment(for: entry.hash)
      }
    }
    count += 1
    return segments[index].insert(entry)
  }

  /// Removes one equal entry, if there is one.
  ///
  /// - Complexity: expected O(1), at worst a merge of two thin segments.
  package mutating func remove(_ entry: Entry) {
    let index = segment(for: entry.hash)
    guard segments[index].remove(entry) else { return }
    count -= 1
    if segments[index].isThin {
      let slotCount = segments[index].slotCount
      if segments[index].depth > 0, slotCount <= Segment.slotsToMerge {
        mergeWithBuddy(index)
      } else if slotCount > Segment.fewestSlots {
        segments[index].resize(to: slotCount / 2)
      }
    }
  }

  // MARK: Segments

  mutating func split(_ index: Int) {
    let old = segments[index]
    if old.depth == self.depth {
      directory = ContiguousArray(directory.flatMap { [$0, $0] })
      self.depth += 1
      deepest = 0
    }
    let (depth, prefix, slotCount) = (old.depth + 1, old.prefix * 2, old.slotCount)
    var lower = Segment(depth: depth, prefix: prefix, slotCount: slotCount)
    var upper = Segment(depth: depth, prefix: prefix + 1, slotCount: slotCount)
    let bit = UInt32(1) << UInt32(31 - old.depth)
    old.forEachEntry { entry in
      if entry.hash & bit == 0 { lower.insert(entry) } else { upper.insert(entry) }
    }
    // Hashes that are not spread leave one half without entries, which needs no room.
    if lower.count == 0 { lower.resize(to: Segment.fewestSlots) }
    if upper.count == 0 { upper.resize(to: Segment.fewestSlots) }
    segments[index] = lower
    segments.append(upper)
    point(at: index)
    point(at: segments.count - 1)
    if depth == self.depth { deepest += 2 }
  }

  /// Merges two thin halves into one segment; the directory shrinks if it can.
  mutating func mergeWithBuddy(_ index: Int) {
    let segment = segments[index]
    guard segment.depth > 0 else { return }
    let buddyPrefix = segment.prefix ^ 1
    let buddyIndex = Int(directory[buddyPrefix << (depth - segment.depth)])
    let buddy = segments[buddyIndex]
    guard buddy.depth == segment.depth, buddy.isThin else { return }
    if segment.depth == depth { deepest -= 2 }
    var merged = Segment(
      depth: segment.depth - 1, prefix: segment.prefix >> 1,
      slotCount: max(segment.slotCount, buddy.slotCount))
    segment.forEachEntry { merged.insert($0) }
    buddy.forEachEntry { merged.insert($0) }
    segments[index] = merged
    point(at: index)
    let last = segments.count - 1
    if buddyIndex != last {
      segments.swapAt(buddyIndex, last)
      point(at: buddyIndex)
    }
    segments.removeLast()
    while deepest == 0, depth > 0 {
      directory = ContiguousArray(
        stride(from: 0, to: directory.count, by: 2).map { directory[$0] })
      depth -= 1
      deepest = segments.reduce(0) { $0 + ($1.depth == depth ? 1 : 0) }
    }
  }

  /// Lets all slots of a segment's prefix refer to it.
  mutating func point(at index: Int) {
    let segment = segments[index]
    let width = 1 << (depth - segment.depth)
    for slot in segment.prefix * width..<(segment.prefix + 1) * width {
      directory[slot] = Int32(index)
    }
  }

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

    /// The next entry of a hash; see ``IdentityTable/nextEntry(hash:_:)``.
    func nextEntry(hash: UInt32, _ probe: inout Int?) -> Entry? {
      slots.withUnsafeBufferPointer { slots in
        let mask = slots.count &- 1
        var slot = probe ?? Int(hash >> 1) & mask
        while slots[slot].hash != 0 {
          let entry = slots[slot]
          slot = (slot &+ 1) & mask
          guard entry.hash == hash else { continue }
          probe = slot
          return entry
        }
        return nil
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
