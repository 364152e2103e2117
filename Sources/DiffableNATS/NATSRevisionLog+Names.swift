#if NATS
import CNATS
public import Diffable
import Dispatch

extension NATSRevisionLog {
  /// The names of the lists that servers have, in order.
  ///
  /// These are all their streams, also those that are no logs of lists. Let the names of your lists
  /// begin with a word of their own. It connects for this question alone.
  ///
  /// - Parameters:
  ///   - urls: The addresses of servers.
  ///   - options: How to connect.
  /// - Complexity: O(n) for n streams.
  /// - Throws: As ``epoch()``.
  public static func names(
    urls: [String], options: Options = Options()
  ) async throws(RevisionLogError) -> [String] {
    let opener = SessionOpener(urls: urls, name: "names", options: options)
    return try await Answer.made(on: opener.queue) { () throws(RevisionLogError) in
      let names = Set(try opener.streams())
      return names.filter { name in
        // A list has two more streams, for its state.
        !["-state", "-pieces"].contains {
          name.hasSuffix($0) && names.contains(String(name.dropLast($0.count)))
        }
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
    return try context.with { context throws(RevisionLogError) in
      var request = jsOptions()
      try check(jsOptions_Init(&request), "asking for the streams")
      request.Wait = timeout
      var list: UnsafeMutablePointer<jsStreamNamesList>?
      var code = jsErrCode(0)
      let status = js_StreamNames(&list, context, &request, &code)
      defer { jsStreamNamesList_Destroy(list) }
      // Without streams there is no list.
      if status == NATS_NOT_FOUND { return [] }
      try check(status, code: code, "asking for the streams")
      guard let list = list?.pointee else { return [] }
      return (0..<Int(list.Count)).compactMap { list.List[$0].map { String(cString: $0) } }
    }
  }
}
#endif
