import HTTPTypes
import Hummingbird

/// Decides who may read and write: nobody, but for those with a ticket.
///
/// An app would ask here who has signed in, and which lists they may see.
///
/// - The ticket is in the address that the server prints. A browser that opens it gets a cookie, and an
///   address without the ticket. Scripts cannot read the cookie, and other sites cannot send it.
/// - A program sends the ticket in the field `Authorization`, as `Bearer …`.
/// - A request must name one of the server's own hosts, once, and a path at this server. Else another site
///   could give its own name the address of this machine, and read as if it were the page.
struct Gate<Context: RequestContext>: RouterMiddleware {
  let ticket: Secret
  let cookie: Secret
  let cookieName: String
  /// The names of this server, without ports.
  let hosts: Set<String>

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    // A second field `Host` stays among the others, and a whole address in the first line becomes one: which
    // of the names counts would be for each program on the way to say.
    guard request.headers["Host"] == nil else {
      throw HTTPError(.badRequest, message: "A request names one host, and a path.")
    }
    guard let authority = request.head.authority, hosts.contains(Self.host(of: authority)) else {
      throw HTTPError(.forbidden, message: "This server has another name.")
    }
    // A proxy before this server may have added encryption.
    let origins = ["http://\(authority)", "https://\(authority)"]
    if let origin = request.headers[.origin], !origins.contains(origin) {
      throw HTTPError(.forbidden, message: "Other sites may not read this.")
    }
    if let ticket = request.uri.queryParameters["ticket"] {
      guard self.ticket.matches(ticket) else { throw refusal }
      var response = Response(
        status: .seeOther, headers: [.location: Self.location(of: request.uri.path)])
      response.setCookie(
        Cookie(name: cookieName, value: cookie.text, path: "/", httpOnly: true, sameSite: .strict))
      return response
    }
    guard isKnown(request) else { throw refusal }
    return try await next(request, context)
  }

  /// Whether a request has the cookie, or the ticket.
  private func isKnown(_ request: Request) -> Bool {
    if let field = request.headers[.authorization] {
      // The name of a scheme may be written in any case, and more than one space may follow it.
      guard let space = field.firstIndex(of: " "), field[..<space].lowercased() == "bearer" else {
        return false
      }
      return ticket.matches(field[space...].drop { $0 == " " })
    }
    return request.cookies[cookieName].map { cookie.matches($0.value) } ?? false
  }

  private var refusal: HTTPError {
    HTTPError(
      .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
      message: "Open the address that the server has printed.")
  }

  /// A path at this server, for a browser that is sent there.
  ///
  /// Two slashes at its beginning would name another server. Browsers read backslashes as slashes there, and no
  /// tabs.
  static func location(of path: String) -> String {
    "/" + path.drop { $0 == "/" || $0 == "\\" || $0 <= " " }
  }

  /// How requests write a host: in lower case, and with brackets if it is an address of IPv6.
  static func name(of host: String) -> String {
    host.contains(":") && !host.hasPrefix("[") ? "[\(host.lowercased())]" : host.lowercased()
  }

  /// The name in `name:port`, where an address of IPv6 has brackets.
  static func host(of authority: String) -> String {
    guard let colon = authority.lastIndex(of: ":"),
      authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
    else { return authority.lowercased() }
    return authority[..<colon].lowercased()
  }
}

/// Tells browsers to load nothing from elsewhere, and to tell no one the address of the page.
///
/// What is refused is a page where somebody has opened an address, and JSON where a program has.
struct Strictness<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as HTTPError {
      let fault = FaultPage(error)
      response =
        FaultPage.isWanted(by: request)
        ? fault.response : try error.response(from: request, context: context)
    }
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] =
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
  }
}
