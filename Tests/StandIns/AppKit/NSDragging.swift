/// developer.apple.com/documentation/appkit/nspasteboard
open class NSPasteboard: NSObject {
  /// developer.apple.com/documentation/appkit/nspasteboard/pasteboardtype
  public struct PasteboardType: RawRepresentable, Hashable, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: String

    /// developer.apple.com/documentation/appkit/nspasteboard/pasteboardtype/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }

    /// developer.apple.com/documentation/appkit/nspasteboard/pasteboardtype/init(_:)
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
}

/// developer.apple.com/documentation/appkit/nspasteboardwriting
public protocol NSPasteboardWriting: NSObjectProtocol {}

/// developer.apple.com/documentation/appkit/nspasteboarditem
open class NSPasteboardItem: NSObject, NSPasteboardWriting {
  var strings: [NSPasteboard.PasteboardType: String] = [:]

  /// developer.apple.com/documentation/appkit/nspasteboarditem/setstring(_:fortype:)
  open func setString(_ string: String, forType type: NSPasteboard.PasteboardType) -> Bool {
    strings[type] = string
    return true
  }
}

/// developer.apple.com/documentation/appkit/nsdragoperation
public struct NSDragOperation: OptionSet, Sendable {
  /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
  public let rawValue: UInt

  /// developer.apple.com/documentation/appkit/nsdragoperation/init(rawvalue:)
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// developer.apple.com/documentation/appkit/nsdragoperation/move
  public static var move: NSDragOperation { .init(rawValue: 16) }
}

/// developer.apple.com/documentation/appkit/nsdraggingsession
open class NSDraggingSession: NSObject {}

/// developer.apple.com/documentation/appkit/nsdragginginfo
@MainActor public protocol NSDraggingInfo: NSObjectProtocol {}

/// developer.apple.com/documentation/swift/autoreleasingunsafemutablepointer
///
/// There is none without Objective-C.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
