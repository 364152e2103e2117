import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// What a server answers.
///
/// `URLSession` on Linux sends no `Host` of one's choice, does not take the headers of the driver of browsers,
/// and hands out no bytes before the end.
struct HTTPReply: Sendable {
  let status: Int
  private let headers: HTTPHeaders
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func header(_ name: String) -> String? { headers.first(name: name) }

  private init(_ head: HTTPResponseHead) {
    (status, headers) = (Int(head.status.code), head.headers)
  }

  /// Sends a request over a connection of its own, and reads the reply.
  ///
  /// - Parameter goesOn: Whether to read on after a part of the body; closes the connection if not.
  static func to(
    _ address: URL, method: String = "GET", headers: [String: String] = [:],
    body: Data = Data(), while goesOn: (HTTPReply) async throws -> Bool = { _ in true }
  ) async throws -> HTTPReply {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: address.host ?? "", port: address.port ?? 80) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel)
        }
      }
    var head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: method), uri: address.target)
    head.headers.add(name: "Host", value: "\(address.host ?? ""):\(address.port ?? 80)")
    head.headers.add(name: "Content-Length", value: "\(body.count)")
    for (name, value) in headers { head.headers.replaceOrAdd(name: name, value: value) }
    return try await channel.executeThenClose { parts, request in
      try await request.write(.head(head))
      try await request.write(.body(.byteBuffer(ByteBuffer(bytes: body))))
      try await request.write(.end(nil))
      var reply: HTTPReply?
      reading: for try await part in parts {
        switch part {
        case .head(let head):
          reply = HTTPReply(head)
        case .body(let buffer):
          reply?.bytes.append(contentsOf: buffer.readableBytesView)
          if let reply, try await !goesOn(reply) { break reading }
        case .end:
          break reading
        }
      }
      guard let reply else { throw BrowserFault("\(address) does not answer") }
      return reply
    }
  }
}

extension URL {
  /// The same server at another path, without the ticket.
  func plain(_ path: String = "") throws -> URL {
    try #require(URL(string: "http://127.0.0.1:\(port ?? 0)\(path)"))
  }

  /// The field of a request that has the ticket in the place of a cookie.
  var bearer: [String: String] {
    let items = URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems
    return ["Authorization": "Bearer \(items?.first { $0.name == "ticket" }?.value ?? "")"]
  }

  /// The field of a request from a browser that has opened the address.
  func cookie() async throws -> [String: String] {
    let field = try await HTTPReply.to(self).header("Set-Cookie")
    return ["Cookie": String(try #require(field?.split(separator: ";").first))]
  }

  /// What the first line of a request names.
  fileprivate var target: String {
    let parts = URLComponents(url: self, resolvingAgainstBaseURL: false)
    let path = parts?.percentEncodedPath ?? ""
    return (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
  }
}
