#if NATS
import CNATS
import Diffable

/// Stores and loads states.
///
/// The functions block their thread.
///
/// A writer first reads the manifest, then stores the pieces of a state, and then its own manifest. The
/// stream takes the new manifest only if the old one is still there. If several writers store a state at
/// the same time, the first manifest wins. All pieces before the first piece of the newest state can be
/// dropped: they belong to older states, or to writers that have stopped or will be refused.
///
/// Manifests have a stream of their own, which keeps the last one. It is read by its sequence number:
/// servers of version 2.9 may crash if a client asks for the last message while it is replaced.
extension Session {
  func newestState() throws(RevisionLogError) -> StoredState? {
    var (newest, last) = try newestManifest()
    while let manifest = newest {
      if let state = try state(of: manifest) { return state }
      // A newer state may have replaced it in the meantime.
      let old = last
      (newest, last) = try newestManifest()
      guard last != old else {
        throw .rejected(reason: "the state of \(manifest.revision) is damaged")
      }
    }
    return nil
  }

  /// Stores a state unless the stored one is as new.
  func store(_ state: StoredState, replicas: Int) throws(RevisionLogError) {
    while true {
      let (newest, last) = try newestManifest()
      if let newest, newest.revision >= state.revision { return }
      if last == 0 { try addStreams(replicas: replicas) }
      let manifest = try Manifest(of: state, pieces: storePieces(of: state))
      let message = try manifest.message(on: names.manifest(of: epoch), replacing: last)
      defer { natsMsg_Destroy(message) }
      if try publish(message, "storing a state") != nil {
        return try purge(
          names.pieces, of: names.allPieces, before: manifest.pieces.first ?? 0)
      }
      // Another writer was faster. Its state may be older than this one.
    }
  }

  /// Drops entries, but never the last one, which shows where the log ends.
  func dropEntries(through revision: Revision) throws(RevisionLogError) {
    let last = try lastSequence()
    guard let sequence = revision.sequence, last > 1 else { return }
    try purge(names.log, of: names.entries, before: min(sequence, last - 1) + 1)
  }
}

extension Session {
  /// The newest manifest and the last sequence number of its stream.
  ///
  /// The number is 0 if the stream is empty.
  private func newestManifest() throws(RevisionLogError) -> (manifest: Manifest?, last: UInt64) {
    while true {
      let last = try lastSequence(of: names.states)
      guard last > 0 else { return (nil, 0) }
      let found = try context.with { context throws(RevisionLogError) in
        try message(last, of: names.states, context, wait: timeout) { message in
          (String(cString: natsMsg_GetSubject(message)), Manifest(message))
        }
      }
      guard let (subject, manifest) = found else {
        // It has been replaced in the meantime, or an operator has deleted it.
        if try lastSequence(of: names.states) != last { continue }
        return (nil, last)
      }
      // An earlier log of the same name may have left its last state.
      guard subject == names.manifest(of: epoch) else { return (nil, last) }
      guard let manifest else {
        throw .rejected(reason: "the newest state has no readable manifest")
      }
      return (manifest, last)
    }
  }

  /// The last sequence number of a stream; 0 if the stream does not exist.
  private func lastSequence(of stream: String) throws(RevisionLogError) -> UInt64 {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var code = jsErrCode(0)
    let status = context.with { js_GetStreamInfo(&info, $0, stream, nil, &code) }
    defer { jsStreamInfo_Destroy(info) }
    if code == JSStreamNotFoundErr { return 0 }
    try check(status, code: code, "asking for the stream \(stream)")
    return info?.pointee.State.LastSeq ?? 0
  }

  private func addStreams(replicas: Int) throws(RevisionLogError) {
    try context.with { context throws(RevisionLogError) in
      try addStream(
        context, names.pieces, subject: names.allPieces, replicas: replicas, wait: timeout,
        description: "Parts of states of the list \(names.list)")
      try addStream(
        context, names.states, subject: names.allManifests, replicas: replicas, wait: timeout,
        keepsLastOnly: true, description: "States of the list \(names.list)")
    }
  }

  /// The state that a manifest describes; `nil` if a piece is missing or was changed.
  private func state(of manifest: Manifest) throws(RevisionLogError) -> StoredState? {
    var reset: [UInt8] = []
    reset.reserveCapacity(min(manifest.byteCount, 1 << 26))
    for piece in manifest.pieces {
      let bytes = try context.with { context throws(RevisionLogError) in
        try message(piece, of: names.pieces, context, wait: timeout) { payload(of: $0) }
      }
      guard let bytes else { return nil }
      reset += bytes
    }
    return manifest.state(reset)
  }

  private func storePieces(of state: StoredState) throws(RevisionLogError) -> [UInt64] {
    let what = "storing a state"
    // The answer to a reader is a third longer, and must fit into a message, too.
    let limit = connection.with { natsConnection_GetMaxPayload($0) }
    let size = max(min(Int(limit) / 2, 512 * 1024), 1)
    let subject = names.pieces(of: epoch)
    var pieces: [UInt64] = []
    for start in stride(from: 0, to: state.reset.count, by: size) {
      let piece = state.reset[start..<min(start + size, state.reset.count)]
      let message = try made(what) { message in
        piece.withUnsafeBytes {
          natsMsg_Create(
            message, subject, nil, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
            Int32($0.count))
        }
      }
      defer { natsMsg_Destroy(message) }
      guard let sequence = try publish(message, what) else {
        throw .unavailable(reason: "\(what): the stream has refused a piece")
      }
      pieces.append(sequence)
    }
    return pieces
  }

  /// Stores a message; `nil` if the last message of the stream is not the expected one.
  private func publish(
    _ message: OpaquePointer, _ what: String
  ) throws(RevisionLogError) -> UInt64? {
    var settings = jsPubOptions()
    try check(jsPubOptions_Init(&settings), what)
    settings.MaxWait = timeout
    var acknowledgment: UnsafeMutablePointer<jsPubAck>?
    var code = jsErrCode(0)
    let status = context.with { js_PublishMsg(&acknowledgment, $0, message, &settings, &code) }
    defer { jsPubAck_Destroy(acknowledgment) }
    if code.isWrongLastSequence { return nil }
    try check(status, code: code, what)
    return acknowledgment?.pointee.Sequence
  }

  /// Drops the messages of a subject that come before a sequence number.
  private func purge(
    _ stream: String, of subject: String, before sequence: UInt64
  ) throws(RevisionLogError) {
    // To a server 0 and 1 mean that there is no number. It would drop everything.
    guard sequence > 1 else { return }
    let what = "dropping messages of the stream \(stream)"
    var code = jsErrCode(0)
    let status = try withCTexts([subject]) { texts throws(RevisionLogError) in
      var settings = jsOptions()
      try check(jsOptions_Init(&settings), what)
      settings.Wait = timeout
      settings.Stream.Purge.Sequence = sequence
      settings.Stream.Purge.Subject = texts[0]
      return context.with { js_PurgeStream($0, stream, &settings, &code) }
    }
    try check(status, code: code, what)
  }
}
#endif
