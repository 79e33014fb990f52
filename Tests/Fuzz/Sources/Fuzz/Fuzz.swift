// The fuzzers of everything that takes bytes from outside. `make fuzz` runs each for a minute.
//
//     Fuzz --target=NAME [libFuzzer's options] [corpus folders or one crashing file]
//     Fuzz --seeds=FOLDER      writes the inputs that fuzzing starts from
//     Fuzz --targets           tells their names

import CLibFuzzer
import Foundation

/// The command line: picks a target and hands over to libFuzzer's driver, which leaves options that
/// begin with two dashes alone.
@main
struct Fuzz {
  static func main() throws {
    if let folder = value(of: "--seeds=") {
      for target in FuzzTarget.allCases { try target.writeSeeds(below: folder) }
      return
    }
    if CommandLine.arguments.contains("--targets") {
      for target in FuzzTarget.allCases { print(target.rawValue) }
      return
    }
    guard let name = value(of: "--target="), let target = FuzzTarget(rawValue: name) else {
      let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
      FileHandle.standardError.write(Data("usage: Fuzz --target=NAME …; names: \(names)\n".utf8))
      exit(2)
    }
    FuzzTarget.current = target
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
      FuzzTarget.current.run(UnsafeRawBufferPointer(start: data, count: size))
      return 0
    }
    exit(status)
  }

  private static func value(of option: String) -> String? {
    CommandLine.arguments.first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
  }
}
