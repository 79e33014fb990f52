import ArgumentParser
import Foundation
import Server
import Transport

/// Does what the host of a running server can do, by its HTTP interface.
struct AdminCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin",
    abstract: "Be the host of a running server: remove people, begin scenes, freeze, limit.",
    discussion: """
      The server must have been started with --admin-token-file.

      \(AdminVerb.usage)
      """)

  @Argument(help: "What to do, see above.") var verb: String
  @Argument(help: "What it needs, see above.") var words: [String] = []

  @Option(help: "The server, such as https://pit.example or http://localhost:8080.")
  var url = "http://localhost:8080"

  @Option(
    help: "The file whose first line is the token; STICKERPIT_ADMIN_TOKEN_FILE names it as well.")
  var tokenFile: String?

  @Option(
    help: "A PEM file of certificates to trust besides the system's, such as the server's own.")
  var caFile: String?

  @Option(help: "ban: an address instead of a person, such as 192.0.2.7.") var address: String?
  @Option(help: "ban: for how long, 1 to 1440.") var minutes: String?
  @Option(help: "scene, limits: stickers at the start, or at most.") var bodies: String?
  @Option(help: "limits: the most people at a time.") var people: String?
  @Option(help: "limits: commands a second of each person, 1 to 60.") var commands: String?

  @Flag(help: "Print the server's answer as it came, one JSON object.") var json = false

  static let variable = "STICKERPIT_ADMIN_TOKEN_FILE"

  func run() throws {
    guard let verb = AdminVerb(rawValue: verb) else {
      throw ValidationError(UnknownName.verb(verb))
    }
    let request: AdminRequest
    do throws(AdminUsage) {
      request = try AdminRequest(
        verb, words: words,
        options: [
          ("address", address), ("minutes", minutes), ("bodies", bodies), ("people", people),
          ("commands", commands),
        ])
    } catch {
      throw ValidationError(error.text)
    }
    let answer = try ask(request, token())
    guard answer.status == 200 else { throw Self.refusal(answer) }
    Output.result(json ? Self.text(answer) : try AdminReport(verb, answer.body).text)
  }

  private func token() throws -> HostToken {
    guard let file = tokenFile ?? ProcessInfo.processInfo.environment[Self.variable] else {
      throw ValidationError(
        "name the file with the token by --token-file, or by \(Self.variable)")
    }
    do throws(HostTokenError) {
      return try HostToken(file: file)
    } catch {
      throw Failure(error.description)
    }
  }

  private func ask(_ request: AdminRequest, _ token: HostToken) throws -> HTTPClient.Answer {
    do throws(TransportError) {
      return try HTTPClient(url: url, caFile: caFile).ask(
        request.method, request.path,
        headers: [.init("Authorization", token.authorization)])
    } catch .invalidHTTPURL(let url) {
      throw ValidationError("--url: \(TransportError.invalidHTTPURL(url))")
    } catch {
      throw Failure("\(error)")
    }
  }

  private static func text(_ answer: HTTPClient.Answer) -> String {
    var text = String(decoding: answer.body, as: UTF8.self)
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  /// What the server has against it. A parameter that it does not take is bad usage.
  private static func refusal(_ answer: HTTPClient.Answer) -> any Error {
    struct Body: Decodable {
      let error: String
    }
    let body = try? JSONDecoder().decode(Body.self, from: Data(answer.body))
    let reason = body?.error ?? text(answer)
    switch answer.status {
    case 400: return ValidationError(reason)
    case 401: return Failure("the server knows another token: \(reason)")
    default: return Failure(reason.isEmpty ? "the server answered \(answer.status)" : reason)
    }
  }
}
