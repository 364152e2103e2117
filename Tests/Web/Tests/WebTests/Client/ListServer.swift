import Diffable
import DiffableSync
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Chore: Identifiable, Codable, Equatable {
  let id: String
  var title: String
  var isDone = false

  /// Two people may change different fields of one chore.
  @Sendable static func merged(base: Chore, theirs: Chore, mine: Chore) -> Chore {
    var merged = mine
    if mine.title == base.title { merged.title = theirs.title }
    if mine.isDone == base.isDone { merged.isDone = theirs.isDone }
    return merged
  }
}

typealias Chores = ModelBatch<String, Chore>

/// What a client asks of the server of its list: a test has one without a network.
protocol ListService: Sendable {
  /// The events of the list, in pieces; `nil` if the list has ended.
  func events(after token: ResumeToken?) async throws -> AsyncThrowingStream<Data, any Error>?

  /// The answer to a proposal.
  ///
  /// What is thrown is sent again. A status that will be the same next time is a refusal: else nothing after it
  /// would be sent.
  func answer(to proposal: Proposal<Chores>) async throws -> ProposalAnswer<Chores>
}

/// The server of a list, over HTTP.
struct ListServer: ListService {
  /// Where the list is read, and where proposals are posted.
  let url: URL
  /// Returns the value of the header `Authorization`, and may ask for a new one first.
  let authorization: @Sendable () async throws -> String

  func events(after token: ResumeToken?) async throws -> AsyncThrowingStream<Data, any Error>? {
    var request = try await request()
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue(token?.description, forHTTPHeaderField: "Last-Event-ID")
    let (status, type, body) = try await Connection.open(request)
    if status == 204 { return nil }
    guard status == 200 else { throw ServerFault(status: status) }
    guard type == "text/event-stream" else { throw ServerFault(status: 0) }
    return body
  }

  func answer(to proposal: Proposal<Chores>) async throws -> ProposalAnswer<Chores> {
    var request = try await request()
    request.httpMethod = "POST"
    request.timeoutInterval = 15
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(proposal)
    let (status, _, body) = try await Connection.open(request)
    if status == 200 {
      var text = Data()
      for try await piece in body {
        text += piece
        guard text.count <= DeltaLimits().byteCount else { throw ServerFault(status: 0) }
      }
      return try JSONDecoder().decode(ProposalAnswer.self, from: text)
    }
    guard (400..<500).contains(status), ![401, 403, 408, 429].contains(status) else {
      throw ServerFault(status: status)
    }
    return .refused(Refusal(code: "\(status)", reason: "The server does not take it (\(status))."))
  }

  private func request() async throws -> URLRequest {
    var request = URLRequest(url: url)
    request.cachePolicy = .reloadIgnoringLocalCacheData
    request.setValue(try await authorization(), forHTTPHeaderField: "Authorization")
    return request
  }
}

/// What a server has said instead of a list or an answer.
struct ServerFault: Error {
  /// The status of HTTP; 0 for what is no list, such as the page of a network that asks its users to sign in.
  let status: Int

  /// Whether the user has to do something before the server says anything else.
  var isFinal: Bool { [401, 403, 404].contains(status) }
}

/// One response, which may end much later than it begins.
///
/// It does not hold the streams, and the session is cancelled when nobody holds the body any longer.
private final class Connection: NSObject, URLSessionDataDelegate, Sendable {
  /// Takes one response, when it has begun.
  private let response: AsyncThrowingStream<URLResponse, any Error>.Continuation
  private let pieces: AsyncThrowingStream<Data, any Error>.Continuation

  private init(
    _ response: AsyncThrowingStream<URLResponse, any Error>.Continuation,
    _ pieces: AsyncThrowingStream<Data, any Error>.Continuation
  ) {
    (self.response, self.pieces) = (response, pieces)
  }

  /// Sends a request.
  ///
  /// - Returns: The status, the type and the body of the response. The body ends when its task is cancelled.
  static func open(
    _ request: URLRequest
  ) async throws -> (status: Int, type: String?, body: AsyncThrowingStream<Data, any Error>) {
    let (responses, response) = AsyncThrowingStream.makeStream(of: URLResponse.self)
    let (body, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
    // The session holds its delegate until it is invalidated.
    let session = URLSession(
      configuration: .ephemeral, delegate: Connection(response, pieces), delegateQueue: nil)
    pieces.onTermination = { _ in session.invalidateAndCancel() }
    session.dataTask(with: request).resume()
    return try await withTaskCancellationHandler {
      for try await response in responses {
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, response.mimeType, body)
      }
      throw CancellationError()
    } onCancel: {
      session.invalidateAndCancel()
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    self.response.yield(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    pieces.yield(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    response.finish(throwing: error)
    pieces.finish(throwing: error)
    session.finishTasksAndInvalidate()
  }
}
