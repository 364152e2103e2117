import Diffable
import DiffableSync
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A list of a server in an app: it is shown and edited at any time, and exchanged while the app may.
@MainActor
final class ListClient {
  /// What renderers follow, and what the user edits.
  let list: EditableMirror<Chores>
  /// Why the list may be old, in words for the user; `nil` while the server is reached.
  private(set) var trouble: String?
  /// What the server has refused, in words for the user.
  private(set) var refusals: [String] = []
  /// Called when there is something else to say.
  var changeHandler: @MainActor () -> Void = {}

  private enum News: Sendable {
    case reached
    case trouble(String)
    case refused(String)
  }

  private let mirror = MirrorSource<Chores>()
  private let server: any ListService
  private let file: ListFile
  private let news: AsyncStream<News>.Continuation
  private var tasks: [Task<Void, Never>] = []
  /// The last task that follows; one begins when the one before it has ended.
  private var following: Task<Void, Never>?
  private var isInForeground = false

  /// Shows what the file has, without a connection.
  init(_ server: any ListService, storedAt url: URL) async throws {
    let (events, news) = AsyncStream.makeStream(of: News.self)
    let (changes, change) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let file = ListFile(url: url)
    (self.server, self.file, self.news) = (server, file, news)
    // Before the mirror follows: the server then says what has changed since.
    list = try await mirror.editable(resuming: try file.pending(), mergeHandler: Chore.merged) {
      try await server.answer(to: $0)
    } decided: { write, outcome in
      // A deletion that the server has made shows nothing new. But it must not wait in the file.
      change.yield()
      let name = write.name ?? "A change"
      switch outcome {
      case .refused(let refusal): news.yield(.refused("\(name): \(refusal)"))
      case .failed(let error): news.yield(.refused("\(name): \(error)"))
      case .accepted, .withdrawn: break
      }
    }
    tasks = [
      Task { [weak self] in for await event in events { self?.take(event) } },
      Task { [list] in for await _ in list.updates() { change.yield() } },
      Task { [list, file] in
        // A change is in the file soon after it is on the screen, whatever becomes of the app.
        for await _ in changes {
          try? await file.store(list)
          try? await Task.sleep(for: .seconds(1))
        }
      },
    ]
  }

  deinit {
    following?.cancel()
    for task in tasks { task.cancel() }
  }

  private func take(_ news: News) {
    switch news {
    case .reached: trouble = nil
    case .trouble(let words): trouble = words
    case .refused(let words): refusals.append(words)
    }
    changeHandler()
  }

  /// Forgets what was refused, when the user has read it.
  func dismissRefusals() {
    refusals = []
    changeHandler()
  }

  // MARK: While the app may use the network

  func enterForeground() {
    isInForeground = true
    connect()
  }

  /// Gives what waits some time to be sent, and disconnects.
  func enterBackground(within limit: Duration) async {
    isInForeground = false
    await first(of: limit) { [list] in
      for write in await list.undecided { _ = await write.outcome }
    }
    if !isInForeground { await disconnect() }
  }

  /// Connects at once: when the network has come back, the user pulls, or has signed in.
  func reconnect() {
    if isInForeground { connect() }
  }

  /// Receives what has changed, at a notification or in the time for a refresh.
  ///
  /// - Returns: Whether anything has changed.
  func catchUp(within limit: Duration) async -> Bool {
    let before = await mirror.resumeToken
    if !isInForeground { connect() }
    await first(of: limit) { [mirror] in
      for await _ in mirror.updates() where await mirror.resumeToken != before { break }
    }
    if !isInForeground { await disconnect() }
    return await mirror.resumeToken != before
  }

  /// Waits until something is done, or some time has passed.
  private func first(of limit: Duration, or work: @escaping @Sendable () async -> Void) async {
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    // An outcome cannot be given up, so nothing waits for this task.
    let tasks = [
      Task {
        await work()
        end.finish()
      },
      Task {
        try? await Task.sleep(for: limit)
        end.finish()
      },
    ]
    for await _ in ends {}
    for task in tasks { task.cancel() }
  }

  // MARK: Connections

  private func connect() {
    let former = following
    former?.cancel()
    following = Task { [mirror, server, news] in
      // Only one at a time.
      await former?.value
      do {
        try await mirror.follow { token in
          let events = try await server.events(after: token)
          news.yield(.reached)
          return events
        } decode: {
          try JSONDecoder().decode(ModelDelta.self, from: Data($0))
        } failure: { error in
          news.yield(.trouble(Self.words(for: error)))
          if let fault = error as? ServerFault, fault.isFinal { throw fault }
        }
      } catch {
        // Cancelled, or final: `reconnect` tries again.
      }
    }
  }

  private func disconnect() async {
    following?.cancel()
    await following?.value
    try? await file.store(list)
  }

  private nonisolated static func words(for error: any Error) -> String {
    switch error {
    case let fault as ServerFault where [401, 403].contains(fault.status): "Sign in again."
    case let fault as ServerFault where fault.status > 0: "The server said \(fault.status)."
    case EventStreamError.silent: "The server says nothing."
    case let error as URLError where error.code == .notConnectedToInternet: "There is no network."
    case is URLError: "The server cannot be reached."
    default: "The answer of the server cannot be read."
    }
  }
}

/// What is kept until the next launch: the list of the server, and the changes that it does not have.
actor ListFile {
  private let url: URL
  private var last: Task<Void, any Error>?

  init(url: URL) { self.url = url }

  /// What was stored before; `nil` if there is nothing, or another version of the app has written it.
  nonisolated func pending() throws -> PendingEdits<Chores>? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    let data = try Data(contentsOf: url)
    return try? JSONDecoder().decode(PendingEdits.self, from: data)
  }

  /// Stores the newest state; calls are served one after another.
  func store(_ list: EditableMirror<Chores>) async throws {
    let storing = Task { [last, url] in
      try? await last?.value
      guard let pending = await list.pending else { return }
      try JSONEncoder().encode(pending).write(to: url, options: .atomic)
    }
    last = storing
    try await storing.value
  }
}
