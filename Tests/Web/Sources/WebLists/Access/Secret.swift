import Foundation

/// A random text; whoever knows it may read.
package struct Secret: Sendable {
  /// 128 random bits in hexadecimal digits.
  package let text: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<4).map { _ in
      let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Reads secrets from a file; `nil` if there is none.
  package static func read(from path: String, count: Int) throws(SecretFault) -> [Secret]? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .unreadable(path)
    }
    let secrets = text.split(separator: "\n").map { Secret(text: String($0)) }
    guard secrets.count == count, secrets.allSatisfy({ $0.text.count == 32 }) else {
      throw .other(path)
    }
    return secrets
  }

  /// Reads secrets from a file that only this user may read; makes it if there is none.
  ///
  /// A file that cannot be read stays as it is: it may have what others know.
  package static func kept(at path: String, count: Int) throws(SecretFault) -> [Secret] {
    if let secrets = try read(from: path, count: count) { return secrets }
    let secrets = (0..<count).map { _ in Secret() }
    let text = secrets.map { $0.text + "\n" }.joined()
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { throw .unwritable(path) }
    return secrets
  }

  private init(text: String) {
    self.text = text
  }

  /// Whether somebody knows it.
  ///
  /// The time this takes does not say how much of the text is right.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, other) = (Array(text.utf8), Array(other.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Why there are no secrets in a file.
package enum SecretFault: Error, Hashable, CustomStringConvertible {
  case unreadable(String)
  case other(String)
  case unwritable(String)

  package var description: String {
    let advice = "Without the file, there are new secrets, and everybody must open the new address."
    return switch self {
    case .unreadable(let path):
      "the secrets in \(path) cannot be read. Let this user read them. \(advice)"
    case .other(let path):
      "\(path) has no secrets of this command. Restore it, or move it away. \(advice)"
    case .unwritable(let path):
      "the secrets cannot be written to \(path). Choose a folder that is there and may be written."
    }
  }
}
