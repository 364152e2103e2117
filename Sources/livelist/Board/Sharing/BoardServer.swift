import Diffable
import DiffableSync
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

typealias BoardBatch = ModelBatch<String, BoardCard>

/// The server of a board, over HTTP.
struct BoardServer: Equatable, Sendable {
  /// Where the list is read, and where proposals are posted.
  let list: URL
  /// What the server lets in.
  private let ticket: String?

  /// The server of an address such as `http://127.0.0.1:8080/?ticket=…`; `nil` if it is none.
  init?(_ address: String) {
    guard var parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme),
      parts.host?.isEmpty == false
    else { return nil }
    ticket = parts.queryItems?.first { $0.name == "ticket" }?.value
    (parts.queryItems, parts.fragment, parts.path) = (nil, nil, "/lists/board")
    guard let url = parts.url else { return nil }
    list = url
  }

  /// The events of the list, in pieces; `nil` if the list has ended.
  func events(after token: ResumeToken?) async throws -> AsyncThrowingStream<Data, any Error>? {
    var request = request
    request.setValue(token?.description, forHTTPHeaderField: "Last-Event-ID")
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    let (status, type, body) = try await Connection.open(request)
    if status == 204 { return nil }
    guard status == 200 else { throw BoardServerError(status: status) }
    guard type == "text/event-stream" else { throw BoardServerError(status: 0) }
    return body
  }

  /// The answer to a proposal.
  ///
  /// A status that will be the same next time is a refusal. Others are thrown: the proposal is sent again.
  func answer(to proposal: Proposal<BoardBatch>) async throws -> ProposalAnswer<BoardBatch> {
    var request = request
    request.httpMethod = "POST"
    request.timeoutInterval = 15
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(proposal)
    let (status, _, body) = try await Connection.open(request)
    if status == 200 {
      let text = try await Self.text(of: body, upTo: DeltaLimits().byteCount)
      return try JSONDecoder().decode(ProposalAnswer.self, from: text)
    }
    guard (400..<500).contains(status), ![401, 403, 408, 429].contains(status) else {
      throw BoardServerError(status: status)
    }
    return .refused(
      Refusal(code: "\(status)", reason: "The server does not take it (\(status))."))
  }

  /// All pieces of an answer, unless they have more bytes than any that a board gives.
  static func text(
    of body: AsyncThrowingStream<Data, any Error>, upTo limit: Int
  ) async throws -> Data {
    var text = Data()
    for try await piece in body {
      text += piece
      guard text.count <= limit else { throw BoardServerError(status: 0) }
    }
    return text
  }

  private var request: URLRequest {
    var request = URLRequest(url: list)
    request.cachePolicy = .reloadIgnoringLocalCacheData
    if let ticket { request.setValue("Bearer \(ticket)", forHTTPHeaderField: "Authorization") }
    return request
  }
}

/// What the server said instead of a list or an answer.
struct BoardServerError: Error, Equatable, CustomStringConvertible {
  /// The status of HTTP; 0 for what is no list, such as the page of a network that asks its users to sign in.
  let status: Int

  /// Whether it will say the same next time.
  var isFinal: Bool { [401, 403, 404].contains(status) }

  var description: String {
    switch status {
    case 401, 403: "the server lets nobody in with this address; take the one that it has printed"
    case 404: "the server has no board"
    case 0: "what answers is no board"
    default: "the server said \(status)"
    }
  }
}

extension BoardServer {
  /// Why a board is not followed at present, in a few words for the person at the terminal.
  static func words(for error: any Error) -> String {
    guard let error = error as? URLError else {
      return switch error {
      case EventStreamError.silent: "the server says nothing"
      case is BoardServerError: "\(error)"
      default: "the server's answer cannot be read"
      }
    }
    switch error.code {
    case .cannotConnectToHost: return "cannot connect to the server"
    case .cannotFindHost, .dnsLookupFailed: return "there is no such host"
    case .timedOut: return "the server does not answer"
    case .networkConnectionLost: return "the connection was lost"
    case .notConnectedToInternet: return "there is no network"
    case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
      .serverCertificateHasUnknownRoot:
      return "the certificate was refused"
    default:
      // On Linux only the text says so.
      let text = error.localizedDescription
      return text.contains("certificate") ? "the certificate was refused" : text
    }
  }
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
