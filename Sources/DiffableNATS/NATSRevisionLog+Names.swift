#if NATS
import CNATS
public import DiffableSync
import Dispatch

extension NATSRevisionLog {
  /// The names of the lists on the servers, in order.
  ///
  /// The result has all streams that have the name of a list, including those that are not logs of lists. Give
  /// your lists names with a prefix of their own to tell them apart. Each call makes a connection of its own.
  ///
  /// - Parameters:
  ///   - urls: The addresses of servers.
  ///   - options: How to connect.
  /// - Complexity: O(n) for n streams.
  /// - Throws: As ``init(urls:name:options:)`` and ``epoch()``.
  public static func names(
    urls: [String], options: Options = Options()
  ) async throws(RevisionLogError) -> [String] {
    try checkArguments(urls, options)
    let opener = SessionOpener(urls: urls, name: "names", options: options)
    return try await Answer.made(on: opener.queue) { () throws(RevisionLogError) in
      // A list has two more streams for its state.
      try opener.streams().filter {
        StreamNames.accepts($0) && StreamNames.suffix(of: $0) == nil
      }.sorted()
    }
  }
}

extension SessionOpener {
  /// The names of all streams.
  ///
  /// Blocks its thread.
  fileprivate func streams() throws(RevisionLogError) -> [String] {
    let number = Session.registry.number()
    let ending = DispatchQueue(label: "NATSRevisionLog.ending")
    let connection = try connect(as: number, endingOn: ending)
    let context = try context(of: connection, as: number, endingOn: ending)
    return try asking(over: connection, context) { context throws(RevisionLogError) in
      var request = jsOptions()
      try check(jsOptions_Init(&request), "asking for the streams")
      request.Wait = timeout
      var list: UnsafeMutablePointer<jsStreamNamesList>?
      var code = jsErrCode(0)
      let status = js_StreamNames(&list, context, &request, &code)
      defer { jsStreamNamesList_Destroy(list) }
      // A server without streams has no list.
      if status == NATS_NOT_FOUND { return [] }
      try check(status, code: code, "asking for the streams")
      guard let list = list?.pointee else { return [] }
      return (0..<Int(list.Count)).compactMap { list.List[$0].map { String(cString: $0) } }
    }
  }
}
#endif
