/// A module of JavaScript that follows lists in a browser, or edits them.
///
/// Serve ``all`` from one folder: they import each other. They need no build step and no framework, and fit the
/// version of `DiffableSync` that comes with them.
///
/// ```swift
/// guard let module = WebModule(named: "follow.js") else { return }
/// print(module.text.utf8.count, module.etag)
/// ```
public struct WebModule: Sendable, Hashable {
  /// The last part of the address, such as `follow.js`.
  public let name: String

  /// What a browser runs: JavaScript in UTF-8.
  public let text: String

  /// A strong validator of the text for the header `ETag`, quotation marks included.
  ///
  /// It is made of 64 bits of a hash. That is enough, since all texts are those of versions of this package, and not
  /// chosen by an attacker.
  public let etag: String

  init(_ name: String, _ text: String) {
    (self.name, self.text) = (name, text)
    etag = "\"\(String(text.utf8.fingerprint, radix: 36))\""
  }

  /// Finds a module by its name.
  ///
  /// - Parameter name: The last part of the address. It may come from anybody.
  /// - Returns: `nil` if there is no such module.
  public init?(named name: String) {
    guard let module = Self.all.first(where: { $0.name == name }) else { return nil }
    self = module
  }
}

extension WebModule: CustomStringConvertible {
  /// The name: the text is long.
  public var description: String { name }
}

extension WebModule {
  /// The format of deltas and proposals that the modules read and write.
  public static let format = 1

  /// The value of the header `Content-Type`.
  public static let contentType = "text/javascript; charset=utf-8"

  /// The list that deltas are applied to.
  public static let list = WebModule("list.js", listText)
  /// The connection to a list of a server, through cuts and restarts.
  public static let follow = WebModule("follow.js", followText)
  /// Changes of a user on top of a followed list, with undo.
  public static let edits = WebModule("edits.js", editsText)
  /// Sending of changes, and keeping them while there is no connection.
  public static let propose = WebModule("propose.js", proposeText)
  /// The tree of the entries of a long list, in their order.
  public static let order = WebModule("order.js", orderText)
  /// The places of all rows of a long list, also of those that were never on the screen.
  public static let places = WebModule("places.js", placesText)
  /// A long list on the screen: only the rows that can be seen are elements.
  public static let rows = WebModule("rows.js", rowsText)

  /// All modules, each after those that it imports.
  public static let all = [list, follow, edits, propose, order, places, rows]

  /// The text as bytes in UTF-8, for the body of a response.
  ///
  /// - Complexity: O(n) for n bytes.
  public var bytes: [UInt8] { Array(text.utf8) }

  /// Whether a browser has this text already: then answer with the status 304 and no body.
  ///
  /// - Parameter ifNoneMatch: The value of the header `If-None-Match`, `nil` without one: one or more validators,
  ///   or `*`. Validators are compared as RFC 9110 says, so a proxy may have made them weak.
  public func isCurrent(ifNoneMatch: String?) -> Bool {
    guard let ifNoneMatch else { return false }
    return ifNoneMatch.split(separator: ",").contains { candidate in
      let text = candidate.drop { $0 == " " || $0 == "\t" }
      let value = text.hasPrefix("W/") ? text.dropFirst(2) : text
      let end = value.lastIndex { $0 != " " && $0 != "\t" }
      let trimmed = end.map { value[...$0] } ?? value
      return trimmed == "*" || trimmed == etag
    }
  }
}

extension String.UTF8View {
  /// The hash FNV-1a, in 64 bits.
  fileprivate var fingerprint: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
