import Foundation

/// The names of users, each looked up once.
struct UserNames: Sendable {
  private var names: [uid_t: String] = [:]

  /// The user's name, or the number if there is no name.
  mutating func name(of user: uid_t) -> String {
    if let name = names[user] { return name }
    let name = UserNames.lookUp(user) ?? String(user)
    names[user] = name
    return name
  }

  private static func lookUp(_ user: uid_t) -> String? {
    // getpwuid_r, because getpwuid returns memory that all threads share.
    var buffer = [CChar](repeating: 0, count: 16384)
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil,
      let name = entry.pw_name
    else { return nil }
    return String(cString: name)
  }
}
