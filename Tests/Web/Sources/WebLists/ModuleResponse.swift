import DiffableWeb
import HTTPTypes
import Hummingbird
import NIOCore

/// A module for pages; a browser that has it already gets no text.
func moduleResponse(to request: Request, name: String?) throws -> Response {
  guard let module = WebModule(named: name ?? "") else { throw HTTPError(.notFound) }
  // A browser keeps the module, and asks each time whether it is still the same.
  var headers: HTTPFields = [.eTag: module.etag, .cacheControl: "no-cache"]
  if module.isCurrent(ifNoneMatch: request.headers[.ifNoneMatch]) {
    return Response(status: .notModified, headers: headers)
  }
  headers[.contentType] = WebModule.contentType
  return Response(
    status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: module.text)))
}
