import HTTPTypes
import Hummingbird
import NIOCore

/// What somebody sees who opens an address that the server refuses.
struct FaultPage {
  let error: HTTPError

  init(_ error: HTTPError) { self.error = error }

  /// Whether a request was made to show a page: browsers ask for lists, scripts and pictures otherwise.
  static func isWanted(by request: Request) -> Bool {
    request.method == .get && request.headers[.accept]?.contains("text/html") == true
  }

  var response: Response {
    var headers = error.headers
    headers[.contentType] = "text/html; charset=utf-8"
    headers[.cacheControl] = "no-store"
    // The style is in the page, since nobody without a ticket may read another file. Nothing else may be loaded.
    headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'"
    return Response(
      status: error.status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private var text: String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
    h1 { font-size: 1.4rem; margin: 0 0 0.5rem; }
    p { margin: 0 0 0.75rem; }
    </style>
    <h1>\(title)</h1>
    <p>\(Self.escaped(error.body ?? ""))</p>
    \(advice.map { "<p>\($0)</p>" } ?? "")
    </html>

    """
  }

  private var title: String {
    switch error.status {
    case .unauthorized: "You need a ticket"
    case .notFound: "There is nothing here"
    case .serviceUnavailable: "The server is full"
    default: "This is not possible"
    }
  }

  private var advice: String? {
    switch error.status {
    case .unauthorized:
      """
      It has a ticket, and the browser keeps it from then on. A server that was started again has printed a \
      new address.
      """
    case .serviceUnavailable: "Try again in a while."
    case .notFound: #"<a href="/">Go to the lists</a>"#
    default: nil
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
