import Diffable
import DiffableSync
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

@testable import WebLists

struct Chore: Identifiable, Codable, Equatable {
  let id: String
  var title: String
  var isDone = false
}

/// A list of chores with its page.
func routes(of chores: ModelSource<String, Chore>, page: String) -> Router<BasicRequestContext> {
  let encoding = DeltaEncoding<ModelBatch<String, Chore>>()
  let router = Router()
  router.get("/") { _, _ in
    Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
  }
  router.get("diffable/:module") { try moduleResponse(to: $0, name: $1.parameters.get("module")) }
  router.get("chores") { request, _ in
    chores.response(to: request, options: DeltaEventOptions(), encoding: encoding)
  }
  router.post("chores") { request, _ in
    let body = try await request.body.collect(upTo: 1 << 18)
    let answer: ProposalAnswer<ModelBatch<String, Chore>>
    do {
      let proposal = try Proposal<ModelBatch<String, Chore>>.read(body.readableBytesView) {
        try JSONDecoder().decode(Proposal.self, from: Data($0))
      }
      answer = try await chores.accept(proposal) { _, _ in }
    } catch let error as DeltaError {
      answer = .refused(Refusal(error))
    }
    return Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(answer))))
  }
  return router
}
