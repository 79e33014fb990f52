/// A plain HTTP request, as far as the listener's delegate needs it.
public struct HTTPRequest: Sendable, Equatable {
  /// `GET`, `HEAD` or `POST`; the listener refuses every other method itself. No request has a
  /// body.
  public var method: String
  /// Decoded path without the query, beginning with `/`.
  public var path: String
  /// The text after `?`, or empty.
  public var query: String
  /// The `Host` header: name and port as the client wrote them, or empty.
  public var host: String
  /// The peer's numeric address.
  public var remoteAddress: String
  /// The `Authorization` header, or empty.
  public var authorization: String
  /// The `User-Agent` header, or empty.
  public var userAgent: String
  /// Whether a browser says that a page of another origin sent it: by an `Origin` that may not
  /// connect, or by `Sec-Fetch-Site`.
  public var isCrossSite: Bool

  public init(
    method: String = "GET", path: String, query: String = "", host: String = "",
    remoteAddress: String = "", authorization: String = "", userAgent: String = "",
    isCrossSite: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.host = host
    self.remoteAddress = remoteAddress
    self.authorization = authorization
    self.userAgent = userAgent
    self.isCrossSite = isCrossSite
  }
}

/// A whole answer to an ``HTTPRequest``, kept in memory: meant for a page of JSON or metrics, not
/// for files.
public struct HTTPResponse: Sendable, Equatable {
  /// Status code, 200…599.
  public var status: Int
  /// Value of the `Content-Type` header.
  public var contentType: String
  /// The body; left out when the request was a `HEAD`.
  public var body: [UInt8]
  /// Further header lines. Names and values must hold no line break; such lines are left out.
  public var headers: [Header]
  /// Value of the `Cache-Control` header: as a rule an answer is true for a moment only.
  public var cacheControl = "no-store"

  /// One header line.
  public struct Header: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(
    status: Int = 200, contentType: String, body: [UInt8], headers: [Header] = []
  ) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.headers = headers
  }

  /// A text answer in UTF-8.
  public static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  /// An answer that already is JSON.
  public static func json(_ json: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "application/json", body: Array(json.utf8))
  }
}
