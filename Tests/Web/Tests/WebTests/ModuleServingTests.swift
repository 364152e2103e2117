import DiffableWeb
import Foundation
import Testing

@testable import WebLists

@Suite("The modules of the server", .timeLimit(.minutes(5)))
struct ModuleServingTests {
  @Test("come once, and then a browser keeps what it has", arguments: WebModule.all)
  func caching(module: WebModule) async throws {
    try await serving([]) { address in
      let url = try address.plain("/diffable/\(module.name)")
      var headers = address.bearer
      let reply = try await HTTPReply.to(url, headers: headers)
      #expect(reply.status == 200 && reply.text == module.text)
      #expect(reply.header("Content-Type") == "text/javascript; charset=utf-8")
      headers["If-None-Match"] = reply.header("ETag")
      let again = try await HTTPReply.to(url, headers: headers)
      #expect(again.status == 304 && again.text == "")
      headers["If-None-Match"] = "\"another\""
      #expect(try await HTTPReply.to(url, headers: headers).text == module.text)
    }
  }

  @Test("are no way to other files", arguments: ["", "page.css", "list"])
  func others(name: String) async throws {
    try await serving([]) { address in
      let reply = try await HTTPReply.to(
        address.plain("/diffable/\(name)"), headers: address.bearer)
      #expect(reply.status == 404)
    }
  }
}
