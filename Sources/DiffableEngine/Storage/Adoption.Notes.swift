extension Adoption {
  /// Adjacent elements that have found their partners, and the leaf in which they begin.
  struct Run: BitwiseCopyable {
    let old: Int
    let new: Int
    var count: Int32
    let leaf: Int32

    init(old: Int, new: Int, count: Int, leaf: Int) {
      self.old = old
      self.new = new
      self.count = Int32(truncatingIfNeeded: count)
      self.leaf = Int32(truncatingIfNeeded: leaf)
    }
  }

  /// Memory with room for a note of each kind for each element of an array.
  ///
  /// So no list of notes ever grows.
  struct Notes {
    /// For the ``Pairs``.
    let runs: UnsafeMutableBufferPointer<Run>
    /// For ``Passed``.
    let passed: UnsafeMutableBufferPointer<Passed.Element>
    /// By index: the hash.
    ///
    /// The walk leaves out whole leaves with several elements, and the plan fills in what it needs.
    let hashes: UnsafeMutableBufferPointer<UInt32>
    /// By matched run: the leaf in which it begins.
    let startLeaves: UnsafeMutableBufferPointer<Int32>

    init(_ memory: UnsafeMutableRawBufferPointer, count: Int) {
      var rest = memory[...]
      func take<Note>(_ type: Note.Type) -> UnsafeMutableBufferPointer<Note> {
        let bytes = rest.prefix(count * MemoryLayout<Note>.stride)
        rest = rest[bytes.endIndex...]
        return UnsafeMutableRawBufferPointer(rebasing: bytes).bindMemory(to: type)
      }
      runs = take(Run.self)
      passed = take(Passed.Element.self)
      hashes = take(UInt32.self)
      startLeaves = take(Int32.self)
    }

    /// The number of bytes for the notes of one element.
    static var stride: Int {
      MemoryLayout<Run>.stride + MemoryLayout<Passed.Element>.stride
        + 2 * MemoryLayout<Int32>.stride
    }
  }
}
