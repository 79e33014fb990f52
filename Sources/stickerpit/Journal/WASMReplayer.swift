import Foundation
import TickLog

/// The browser's module under node, which is asked as `web/verify.mjs` says.
///
/// Sendable because one thread at a time uses it.
final class WASMReplayer: LogReplayer, @unchecked Sendable {
  private let process = Process()
  private let questions = Pipe()
  private let answers = Pipe()

  private struct Answer {
    let result: Int32
    let tick: UInt32
    let wide: UInt64
  }

  /// - Parameter web: the folder with `pit.wasm` and `verify.mjs`.
  init(web: String) throws(JournalError) {
    for file in ["pit.wasm", "verify.mjs"]
    where !FileManager.default.isReadableFile(atPath: web + "/" + file) {
      throw .noReplayer("the folder \(web) has no \(file): name the page's folder with --web")
    }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["node", web + "/verify.mjs", web + "/pit.wasm"]
    process.standardInput = questions
    process.standardOutput = answers
    do { try process.run() } catch {
      throw .noReplayer("node can't be started: \(error.localizedDescription)")
    }
  }

  deinit {
    try? questions.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func begin(_ snapshot: [UInt8]) throws(JournalError) -> Bool {
    try ask("S", snapshot).result == 1
  }

  func replay(_ group: LogGroup) throws(JournalError) -> ReplayResult {
    let answer = try ask("R", group.records)
    switch answer.result {
    case -2:
      // The module carries out the whole group and says that it differs, not where.
      return .diverged(at: group.last)
    case Int32(group.count): return .done
    default: return .refused("the module answered \(answer.result)")
    }
  }

  func hashesMatched() throws(JournalError) -> Int { Int(try ask("R", []).wide) }

  func stateHash() throws(JournalError) -> UInt64 { try ask("H", []).wide }

  private func ask(_ kind: Character, _ bytes: [UInt8]) throws(JournalError) -> Answer {
    var question = Data([kind.asciiValue!])
    withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { question.append(contentsOf: $0) }
    question.append(contentsOf: bytes)
    do {
      try questions.fileHandleForWriting.write(contentsOf: question)
      var answer = Data()
      while answer.count < 16 {
        guard
          let more = try answers.fileHandleForReading.read(upToCount: 16 - answer.count),
          !more.isEmpty
        else { throw JournalError.noReplayer("node has ended; is it installed?") }
        answer.append(more)
      }
      return answer.withUnsafeBytes {
        Answer(
          result: Int32(littleEndian: $0.loadUnaligned(as: Int32.self)),
          tick: UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
          wide: UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
      }
    } catch {
      throw error as? JournalError
        ?? .noReplayer("node can't be asked: \(error.localizedDescription)")
    }
  }
}
