#if NATS
extension NATSRevisionLog {
  /// How to connect, and how to make streams that do not exist.
  public struct Options: Hashable, Sendable {
    /// The number of servers that keep a copy of the streams: 1, 3 or 5.
    ///
    /// It applies when a stream is made. An existing stream keeps its number.
    public var replicas = 1
    /// How long a call waits for the servers.
    ///
    /// ``NATSRevisionLog/entries(after:)`` waits for new entries without a limit.
    public var timeout = Duration.seconds(3)
    /// The credentials to connect with.
    public var credentials = Credentials.none
    /// Whether and how the connection is encrypted.
    public var encryption = Encryption.whereServersRequireIt

    /// Creates options for servers without access control, and streams on one server.
    public init() {}
  }

  /// The credentials to connect with.
  public enum Credentials: Hashable, Sendable {
    /// None, or those in the address.
    case none
    /// A file with the token and the key of a user, as `nsc` writes it.
    case file(path: String)
    /// A name and a password.
    case user(name: String, password: String)
    /// A token.
    case token(String)
  }

  /// Whether and how a connection is encrypted.
  public enum Encryption: Hashable, Sendable {
    /// Encrypted if a server requires it, with the certificate authorities that the system trusts.
    case whereServersRequireIt
    /// Always encrypted.
    ///
    /// - Parameters:
    ///   - authorities: The path of a file with the certificates of the authorities to trust, or `nil`
    ///     for those that the system trusts.
    ///   - certificate: What the client shows of itself, for servers that verify clients.
    case always(authorities: String? = nil, certificate: Certificate? = nil)
  }

  /// The certificate of a client, for servers that verify clients.
  public struct Certificate: Hashable, Sendable {
    /// The path of a PEM file with the certificate, followed by those of its issuers.
    public var chain: String
    /// The path of a PEM file with the private key.
    public var key: String

    /// Creates the certificate of two files.
    public init(chain: String, key: String) {
      (self.chain, self.key) = (chain, key)
    }
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
