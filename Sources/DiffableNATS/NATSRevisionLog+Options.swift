#if NATS
extension NATSRevisionLog {
  /// How to connect, and how to make the streams if there are none.
  public struct Options: Hashable, Sendable {
    /// On how many servers the streams are kept: 1, 3 or 5.
    ///
    /// It counts when a stream is made. A stream that exists keeps its number.
    public var replicas = 1
    /// How long a call waits for an answer of the servers.
    ///
    /// ``NATSRevisionLog/entries(after:)`` waits for entries without an end, but not for answers.
    public var timeout = Duration.seconds(3)
    /// Who connects.
    public var credentials = Credentials.none
    /// Whether and how the connection is encrypted.
    public var encryption = Encryption.whereServersRequireIt

    /// Creates options for servers without access control, and streams on one server.
    public init() {}
  }

  /// Who connects.
  public enum Credentials: Hashable, Sendable {
    /// Nobody in particular, or whom the address names.
    case none
    /// A file with a token of a user and the key for it, as `nsc` writes it.
    case file(path: String)
    /// A name and a password.
    case user(name: String, password: String)
    /// A token.
    case token(String)
  }

  /// Whether and how a connection is encrypted.
  public enum Encryption: Hashable, Sendable {
    /// Encrypted if a server requires it, checked with the authorities that the system trusts.
    case whereServersRequireIt
    /// Always encrypted.
    ///
    /// - Parameter authorities: The path of a file with the certificates of authorities to trust, or
    ///   `nil` for those of the system.
    case always(authorities: String? = nil)
  }
}

extension NATSRevisionLog.Credentials: CustomStringConvertible, CustomDebugStringConvertible {
  /// The kind and the name, without the secret.
  public var description: String {
    switch self {
    case .none: "none"
    case .file(let path): "file \(path)"
    case .user(let name, _): "user \(name)"
    case .token: "token"
    }
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
}
#endif
