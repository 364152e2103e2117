/// A key that means something to a list.
public enum Key: Hashable, Sendable {
  /// A key with a printable ASCII character.
  case character(Unicode.Scalar)
  /// The arrow upwards.
  case up
  /// The arrow downwards.
  case down
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// To the beginning.
  case home
  /// To the end.
  case end
}

/// Reads keys from the bytes a terminal sends, which may arrive in any pieces.
///
/// Sequences it does not know are passed over as a whole, so that their last letter is never taken
/// for a key.
public struct KeyParser: Sendable {
  private enum State {
    case ground
    case escape
    /// Inside a sequence, with its parameters so far.
    case sequence([UInt8])
    /// Behind `ESC O`, which some terminals send for arrows, Home and End.
    case singleShift
  }

  private var state = State.ground

  /// Creates a parser that has seen nothing.
  public init() {}

  /// The keys that the bytes complete.
  public mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    bytes.compactMap { key(completedBy: $0) }
  }

  private mutating func key(completedBy byte: UInt8) -> Key? {
    if byte == 0x1B {
      state = .escape
      return nil
    }
    switch state {
    case .ground:
      return (0x20..<0x7F).contains(byte) ? .character(Unicode.Scalar(byte)) : nil
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
      // Parameters and intermediates come before the byte that ends the sequence.
      if (0x20..<0x40).contains(byte) {
        parameters.append(byte)
        state = .sequence(parameters)
        return nil
      }
      state = .ground
      return byte == UInt8(ascii: "~")
        ? KeyParser.numbered(by: parameters) : KeyParser.named(by: byte)
    }
  }

  private static func named(by letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  /// The keys that xterm, rxvt and the Linux console number.
  private static func numbered(by parameters: [UInt8]) -> Key? {
    switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }
}
