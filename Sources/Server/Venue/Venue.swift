import Foundation

/// Where people find the page, for whoever shows it to them.
struct Venue: Sendable {
  /// Nil where only the visitor's own browser knows: it has come by some address.
  let publicURL: String?
  let code: JoinCode

  /// The body of `/api/venue`.
  var json: String {
    struct Body: Encodable {
      let code: String
      let url: String?
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try? encoder.encode(Body(code: code.text, url: publicURL))
    return String(decoding: json ?? Data(), as: UTF8.self) + "\n"
  }
}
