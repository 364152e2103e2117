import Diffable
import DiffableSync
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

@testable import WebLists

struct Errand: Identifiable, Codable, Equatable {
  let id: String
  var title: String
  var isDone = false
}

/// A list of errands with its page.
func routes(of errands: ModelSource<String, Errand>, page: String) -> Router<BasicRequestContext> {
  let encoding = DeltaEncoding<ModelBatch<String, Errand>>()
  let router = Router()
  router.get("/") { _, _ in
    Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
  }
  router.get("diffable/:module") { try moduleResponse(to: $0, name: $1.parameters.get("module")) }
  router.get("errands") { request, _ in
    errands.response(to: request, options: DeltaEventOptions(), encoding: encoding)
  }
  router.post("errands") { request, _ in
    let body = try await request.body.collect(upTo: 1 << 18)
    let answer: ProposalAnswer<ModelBatch<String, Errand>>
    do {
      let proposal = try Proposal<ModelBatch<String, Errand>>.read(body.readableBytesView) {
        try JSONDecoder().decode(Proposal.self, from: Data($0))
      }
      answer = try await errands.accept(proposal) { _, _ in }
    } catch let error as DeltaError {
      answer = .refused(Refusal(error))
    }
    return Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(answer))))
  }
  return router
}
