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

  /// Reads secrets from a file that only this user may read; makes it if there is none.
  package static func kept(at path: String, count: Int) throws -> [Secret] {
    if let text = try? String(contentsOfFile: path, encoding: .utf8) {
      let secrets = text.split(separator: "\n").map { Secret(text: String($0)) }
      if secrets.count == count, secrets.allSatisfy({ $0.text.count == 32 }) { return secrets }
      throw CocoaError(.fileReadCorruptFile)
    }
    let secrets = (0..<count).map { _ in Secret() }
    let text = secrets.map { $0.text + "\n" }.joined()
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
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
