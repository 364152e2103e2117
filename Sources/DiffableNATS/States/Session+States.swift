#if NATS
import CNATS
import Diffable
import DiffableSync

/// Stores and loads states.
///
/// The functions block their thread.
///
/// A writer first reads the manifest, then stores the pieces of a state, and then its own manifest. The
/// stream takes the new manifest only if the old one is still there. If several writers store a state at
/// the same time, the first manifest wins. The newest two states stay, in case one is damaged. All pieces
/// before the first piece of the older one can be dropped: they belong to older states, or to writers that
/// have stopped or will be refused.
///
/// Manifests have a stream of their own, which keeps the last two. They are read by their sequence
/// numbers: servers of version 2.9 may crash if a client asks for the last message while it is replaced.
extension Session {
  /// The newest state before a revision that is not damaged.
  func state(before revision: Revision) throws(RevisionLogError) -> StoredState? {
    while true {
      let newest = try newestManifest()
      var (next, damaged) = (newest, FoundManifest?.none)
      while let found = next {
        if found.manifest.map({ $0.revision < revision }) ?? true {
          if let manifest = found.manifest, try isPossible(manifest),
            let state = try state(of: manifest)
          {
            places.add(manifest.place)
            if let damaged { try warn(of: damaged, newest) }
            return state
          }
          damaged = damaged ?? found
        }
        next = try manifest(before: found)
      }
      // A newer state may have replaced what was just being read.
      if try newestManifest()?.sequence == newest?.sequence {
        if let damaged { try warn(of: damaged, newest) }
        return nil
      }
    }
  }

  /// Warns of a state that was not there as a whole, unless newer ones have replaced it meanwhile.
  private func warn(of damaged: FoundManifest, _ newest: FoundManifest?) throws(RevisionLogError) {
    guard try newestManifest()?.sequence == newest?.sequence else { return }
    warnings.add(.damagedState(damaged.manifest?.revision, of: names.list))
  }

  /// Stores a state unless the stored one is as new, or nobody could go on from it.
  func store(_ state: StoredState, replicas: Int) throws(RevisionLogError) {
    while true {
      let newest = try newestManifest()
      // One that lies about its revision must not keep all others out.
      if let found = newest?.manifest, found.revision >= state.revision, try isPossible(found) {
        return
      }
      guard let place = try place(before: state.revision.number) else { return }
      let last = if let newest { newest.sequence } else { try lastManifest() }
      if last == 0 { try addStreams(replicas: replicas) }
      let manifest = try Manifest(of: state, at: place, pieces: storePieces(of: state))
      let message = try manifest.message(on: names.manifest(of: epoch), replacing: last)
      defer { natsMsg_Destroy(message) }
      if try publish(message, "storing a state") != nil {
        let kept = (newest?.manifest?.pieces.first).map { min($0, manifest.pieces.first ?? $0) }
        return try purge(
          names.pieces, of: names.allPieces, before: kept ?? manifest.pieces.first ?? 0)
      }
      // Another writer was faster. Its state may be older than this one.
    }
  }

  /// Whether the newest state and the entries after it lead to the end of the log.
  func isComplete() throws(RevisionLogError) -> Bool {
    let manifest = try newestManifest()?.manifest
    guard let manifest, try isPossible(manifest) else { return try place(before: 0) != nil }
    return try place(before: manifest.revision.number) != nil
  }

  /// Drops messages whose entries are not needed, but never the last one.
  ///
  /// It shows where the log ends.
  func dropEntries(through revision: Revision) throws(RevisionLogError) {
    let last = try lastSequence()
    guard revision.isOfLog, last > 1, let place = try place(before: revision.number) else { return }
    try purge(names.log, of: names.entries, before: min(place.sequence, last - 1) + 1)
  }
}

extension Session {
  /// Whether the log has the place of a manifest.
  private func isPossible(_ manifest: Manifest) throws(RevisionLogError) -> Bool {
    try manifest.place.sequence <= lastSequence()
  }

  /// The newest manifest of this log; `nil` if there is none.
  private func newestManifest() throws(RevisionLogError) -> FoundManifest? {
    let found = try context.with { context throws(RevisionLogError) in
      try DiffableNATS.newestManifest(of: names, context, wait: timeout)
    }
    // An earlier log of the same name may have left its last state.
    return found?.epoch == epoch ? found : nil
  }

  /// The number of the last manifest of any log; 0 if there has been none.
  private func lastManifest() throws(RevisionLogError) -> UInt64 {
    try context.with { context throws(RevisionLogError) in
      try DiffableNATS.lastSequence(of: names.states, context, wait: timeout)
    }
  }

  private func manifest(before found: FoundManifest) throws(RevisionLogError) -> FoundManifest? {
    guard found.sequence > 1 else { return nil }
    let older = try context.with { context throws(RevisionLogError) in
      try DiffableNATS.manifest(found.sequence - 1, of: names, context, wait: timeout)
    }
    return older?.epoch == epoch ? older : nil
  }

  private func addStreams(replicas: Int) throws(RevisionLogError) {
    try context.with { context throws(RevisionLogError) in
      try addStream(
        context, names.pieces, subject: names.allPieces, replicas: replicas, wait: timeout,
        description: "Parts of states of the list \(names.list)")
      try addStream(
        context, names.states, subject: names.allManifests, replicas: replicas, wait: timeout,
        perSubject: 2, description: "States of the list \(names.list)")
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
