import Transport

/// Why a request of the host is refused: the status and the text of the answer.
struct HostRefusal: Error, Equatable {
  let status: Int
  let text: String
  /// Further header lines, such as when to try again.
  var headers: [HTTPResponse.Header] = []

  init(_ status: Int, _ text: String, _ headers: [HTTPResponse.Header] = []) {
    self.status = status
    self.text = text
    self.headers = headers
  }

  static func method(_ allowed: String) -> HostRefusal {
    HostRefusal(405, "only \(allowed)", [.init("Allow", allowed)])
  }

  static let tooMany = HostRefusal(
    503, "too many acts wait: try again", [.init("Retry-After", "1")])

  var response: HTTPResponse {
    var response = HTTPResponse.json(#"{"error":\#(HostText.json(text))}"# + "\n", status: status)
    response.headers = headers
    return response
  }
}
