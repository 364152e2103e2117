/// Parses keys from the bytes that a terminal sends, which may arrive in pieces of any size.
///
/// Unknown sequences are skipped as a whole, so that their last letter is not mistaken for a key.
/// Bytes that are not UTF-8 are skipped too.
package struct KeyParser: Sendable {
  private enum State {
    case ground
    case escape
    /// Inside a sequence, with its parameters so far.
    case sequence([UInt8])
    /// After `ESC O`, which some terminals send for arrows, Home and End.
    case singleShift
    /// Inside a scalar, with its first bits and the number of bytes to come.
    case scalar(bits: UInt32, missing: Int, least: UInt32)
  }

  /// The number of bytes of a sequence that are looked at; text that was pasted may have any number.
  private static let longestSequence = 64

  private var state = State.ground

  /// Creates a parser without any input.
  package init() {}

  /// Whether the last byte may be the Escape key or the start of a sequence.
  ///
  /// Only time can tell which one it is: see ``flush()``.
  package var isUndecided: Bool {
    if case .escape = state { true } else { false }
  }

  /// The keys that the bytes complete.
  package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    bytes.compactMap { key(completedBy: $0) }
  }

  /// Handles a pause in the input: an escape without a sequence is the Escape key.
  package mutating func flush() -> Key? {
    guard isUndecided else { return nil }
    state = .ground
    return .escape
  }

  private mutating func key(completedBy byte: UInt8) -> Key? {
    if byte == 0x1B {
      state = .escape
      return nil
    }
    switch state {
    case .ground:
      return keyOnGround(byte)
    case .scalar(let bits, let missing, let least):
      guard byte & 0xC0 == 0x80 else {
        state = .ground
        return keyOnGround(byte)
      }
      let value = bits << 6 | UInt32(byte & 0x3F)
      state = missing == 1 ? .ground : .scalar(bits: value, missing: missing - 1, least: least)
      guard missing == 1, value >= least, let scalar = Unicode.Scalar(value), value >= 0xA0
      else { return nil }
      return .character(scalar)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence([])
      case UInt8(ascii: "O"): state = .singleShift
      default: state = .ground
      }
      return nil
    case .singleShift:
      state = .ground
      return KeyParser.named(by: byte)
    case .sequence(var parameters):
      // Parameters and intermediate bytes are before the byte that ends the sequence, and so is a
      // second bracket: the Linux console sends one for its first function keys.
      let isSecondBracket = parameters.isEmpty && byte == UInt8(ascii: "[")
      if (0x20..<0x40).contains(byte) || isSecondBracket {
        guard parameters.count < KeyParser.longestSequence else { return nil }
        parameters.append(byte)
        state = .sequence(parameters)
        return nil
      }
      state = .ground
      guard parameters.first != UInt8(ascii: "[") else { return nil }
      let key =
        byte == UInt8(ascii: "~")
        ? KeyParser.numbered(by: parameters) : KeyParser.named(by: byte)
      return KeyParser.hasShift(parameters) ? key.map(Key.shift) : key
    }
  }

  private mutating func keyOnGround(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x20..<0x7F: return .character(Unicode.Scalar(byte))
    case 0x08, 0x7F: return .backspace
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    // A scalar begins; an encoding longer than necessary is not UTF-8.
    case 0xC2..<0xE0: state = .scalar(bits: UInt32(byte & 0x1F), missing: 1, least: 0x80)
    case 0xE0..<0xF0: state = .scalar(bits: UInt32(byte & 0x0F), missing: 2, least: 0x800)
    case 0xF0..<0xF5: state = .scalar(bits: UInt32(byte & 0x07), missing: 3, least: 0x10000)
    default: break
    }
    return nil
  }

  private static func named(by letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  /// Whether Shift was pressed: the second parameter is 1 more than a set of bits, and Shift is the
  /// lowest one.
  private static func hasShift(_ parameters: [UInt8]) -> Bool {
    let all = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard all.count == 2, let modifiers = Int(String(decoding: all[1], as: UTF8.self)) else {
      return false
    }
    return modifiers > 1 && modifiers.isMultiple(of: 2)
  }

  /// The keys that xterm, rxvt and the Linux console number.
  private static func numbered(by parameters: [UInt8]) -> Key? {
    switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": .home
    case "3": .delete
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }
}
