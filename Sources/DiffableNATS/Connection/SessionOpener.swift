#if NATS
import CNATS
import Diffable
import DiffableSync
import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Connects and opens the stream of a log.
///
/// Its functions block their thread.
final class SessionOpener: Sendable {
  let queue = DispatchQueue(label: "NATSRevisionLog.opening")
  let names: StreamNames
  let options: NATSRevisionLog.Options
  let timeout: Int64
  let warnings = Warnings()
  /// What one session has found out is true for the next.
  private let places = KnownPlaces()
  private let urls: [String]
  /// The epoch of the first session.
  ///
  /// It never changes while the log lives.
  private let epoch = Lock<Epoch?>(nil)

  init(urls: [String], name: String, options: NATSRevisionLog.Options) {
    (self.urls, self.options) = (urls, options)
    names = StreamNames(list: name)
    let (seconds, attoseconds) = options.timeout.components
    timeout = max(seconds * 1000 + attoseconds / 1_000_000_000_000_000, 1)
  }

  func open() throws(RevisionLogError) -> Session {
    let number = Session.registry.number()
    let ending = DispatchQueue(label: "NATSRevisionLog.ending")
    let connection = try connect(as: number, endingOn: ending)
    let context = try context(of: connection, as: number, endingOn: ending)
    let found = try asking(over: connection, context) { context throws(RevisionLogError) in
      try openLog(context, names: names, replicas: options.replicas, timeout: timeout)
    }
    let first = epoch.withLock { epoch in
      if epoch == nil { epoch = found }
      return epoch
    }
    guard first == found else { throw .logWasRemade }
    let session = Session(
      number, names: names, epoch: found, timeout: timeout, connection: connection,
      context: context, ending: ending, warnings: warnings, places: places)
    session.checkVersion()
    return session
  }

  func connect(
    as number: UInt, endingOn ending: DispatchQueue
  ) throws(RevisionLogError) -> Handle {
    let settings = try made("preparing a connection") { natsOptions_Create($0) }
    defer { natsOptions_Destroy(settings) }
    try set(settings, as: number)
    var connection: OpaquePointer?
    let status = natsConnection_Connect(&connection, settings)
    guard status == NATS_OK, let connection else { throw refusal(status) }
    return Handle(connection, endingOn: ending) { natsConnection_Destroy($0) }
  }

  /// Why the library could not connect.
  private func refusal(_ status: natsStatus) -> RevisionLogError {
    let text = lastText(status)
    if case .file(let path) = options.credentials, let text, status == NATS_ERR, text.contains(path)
    {
      return .rejected(reason: "using the credentials: \(text)")
    }
    return .failure(status, text: text, "connecting to \(urls.joined(separator: ", "))")
  }

  /// Asks the servers for something over a new connection.
  ///
  /// They do not answer what the user may not ask, but say so to the connection.
  func asking<Result>(
    over connection: Handle, _ context: Handle,
    _ ask: (OpaquePointer) throws(RevisionLogError) -> Result
  ) throws(RevisionLogError) -> Result {
    do throws(RevisionLogError) {
      return try context.with(ask)
    } catch {
      throw connection.with { connection in
        var text: UnsafePointer<CChar>?
        guard case .unavailable = error,
          natsConnection_GetLastError(connection, &text) == NATS_NOT_PERMITTED
        else { return error }
        return .failure(
          NATS_NOT_PERMITTED, text: text.map { String(cString: $0) }, "asking the servers")
      }
    }
  }

  func context(
    of connection: Handle, as number: UInt, endingOn ending: DispatchQueue
  ) throws(RevisionLogError) -> Handle {
    var settings = jsOptions()
    try check(jsOptions_Init(&settings), "preparing a stream")
    settings.Wait = timeout
    settings.PublishAsync.AckHandlerClosure = Registry<Session>.pointer(number)
    settings.PublishAsync.AckHandler = { _, message, acknowledgment, failure, closure in
      Session.registry[closure]?.appends.answered(message, acknowledgment, failure)
      natsMsg_Destroy(message)
    }
    let context = try connection.with { connection throws(RevisionLogError) in
      try made("preparing a stream") { natsConnection_JetStream($0, connection, &settings) }
    }
    return Handle(context, endingOn: ending) { context in
      // The connection goes first. The context has a subscription, and version 3.4.1 of the library
      // may use a subscription after it was destroyed if messages arrive at that time.
      connection.with { natsConnection_Close($0) }
      jsCtx_Destroy(context)
    }
  }
}

extension SessionOpener {
  /// How to connect, and what to call when the state of the connection changes.
  private func set(_ settings: OpaquePointer, as number: UInt) throws(RevisionLogError) {
    let what = "preparing a connection"
    let status = withCTexts(urls) { urls in
      var urls = urls
      return natsOptions_SetServers(settings, &urls, Int32(urls.count))
    }
    try check(status, what)
    try check(natsOptions_SetTimeout(settings, timeout), what)
    // Unsent messages are sent after a reconnect. Those that were sent and not answered fail at once.
    try check(natsOptions_SetMaxReconnect(settings, -1), what)
    try check(natsOptions_SetReconnectWait(settings, 100), what)
    try check(natsOptions_SetFailRequestsOnDisconnect(settings, true), what)
    // After three missing answers the library gives up the server.
    try check(natsOptions_SetPingInterval(settings, max(timeout, 1000)), what)
    try check(natsOptions_SetWriteDeadline(settings, timeout), what)
    // Otherwise the library waits a millisecond for more to send.
    try check(natsOptions_SetSendAsap(settings, true), what)
    try setAccess(settings)

    let closure = Registry<Session>.pointer(number)
    try check(
      natsOptions_SetDisconnectedCB(
        settings, { Session.registry[$1]?.connectionWasLost() }, closure), what)
    try check(
      natsOptions_SetReconnectedCB(
        settings, { Session.registry[$1]?.connectionIsBack() }, closure), what)
    try check(
      natsOptions_SetClosedCB(
        settings, { Session.registry[$1]?.connectionHasClosed() }, closure), what)
    try check(
      natsOptions_SetErrorHandler(
        settings,
        { connection, _, status, closure in
          var text: UnsafePointer<CChar>?
          _ = natsConnection_GetLastError(connection, &text)
          Session.registry[closure]?.reported(status, text.map { String(cString: $0) })
        }, closure), what)
  }

  private func setAccess(_ settings: OpaquePointer) throws(RevisionLogError) {
    let what = "using the credentials"
    switch options.credentials {
    case .none: break
    case .file(let path):
      try requireReadable(path, what)
      try check(natsOptions_SetUserCredentialsFromFiles(settings, path, nil), what)
    case .user(let name, let password):
      try check(natsOptions_SetUserInfo(settings, name, password), what)
    case .token(let token): try check(natsOptions_SetToken(settings, token), what)
    }
    switch options.encryption {
    case .whereServersRequireIt: break
    case .always(let authorities, let certificate):
      try check(natsOptions_SetSecure(settings, true), "preparing encryption")
      if let certificate {
        let (chain, key) = (certificate.chain, certificate.key)
        try load([chain, key]) { natsOptions_LoadCertificatesChain(settings, chain, key) }
      }
      if let authorities {
        try load([authorities]) { natsOptions_LoadCATrustedCertificates(settings, authorities) }
      }
    }
  }

  /// Loads files, which do not become right by themselves.
  private func load(_ paths: [String], _ load: () -> natsStatus) throws(RevisionLogError) {
    let what = "loading \(paths.joined(separator: " and "))"
    for path in paths { try requireReadable(path, what) }
    let status = load()
    guard status != NATS_OK else { return }
    throw .rejected(reason: "\(what): \(lastText(status) ?? "not in the format PEM")")
  }

  private func requireReadable(_ path: String, _ what: String) throws(RevisionLogError) {
    guard access(path, R_OK) == 0 else {
      throw .rejected(reason: "\(what): the file \(path) cannot be read")
    }
  }
}
#endif
