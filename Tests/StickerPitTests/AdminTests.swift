import Testing

@testable import stickerpit

/// What `stickerpit admin` asks for.
@Suite struct AdminTests {
  private func request(
    _ verb: AdminVerb, _ words: [String] = [], _ options: [(name: String, value: String?)] = []
  ) throws(AdminUsage) -> String {
    let request = try AdminRequest(verb, words: words, options: options)
    return "\(request.method) \(request.path)"
  }

  @Test func wordsBecomeParameters() throws {
    #expect(try request(.state) == "GET /api/host/state")
    #expect(try request(.kick, ["5"]) == "POST /api/host/kick?person=5")
    #expect(try request(.freeze) == "POST /api/host/freeze")
    #expect(
      try request(.rename, ["5", "Zoë & co+"])
        == "POST /api/host/rename?person=5&name=Zo%C3%AB%20%26%20co%2B")
    #expect(try request(.notice) == "POST /api/host/notice")
    #expect(try request(.notice, [""]) == "POST /api/host/notice?text=")
    #expect(
      try request(.scene, ["rain"], [("bodies", "9")]) == "POST /api/host/scene?name=rain&bodies=9")
    #expect(
      try request(.limits, [], [("people", "9"), ("bodies", nil)])
        == "POST /api/host/limits?people=9")
  }

  @Test func aBanHasAPersonOrAnAddressAndMinutes() throws {
    #expect(try request(.ban, ["5"]) == "POST /api/host/ban?person=5&minutes=10")
    #expect(
      try request(.ban, [], [("address", "::1"), ("minutes", "3")])
        == "POST /api/host/ban?address=%3A%3A1&minutes=3")
    #expect(throws: AdminUsage("ban needs a PERSON or --address")) { try request(.ban) }
    #expect(throws: AdminUsage("ban needs a PERSON or --address")) {
      try request(.ban, ["5"], [("address", "::1")])
    }
  }

  @Test func whatIsMissingOrTooMuchIsSaid() {
    #expect(throws: AdminUsage("kick needs a PERSON")) { try request(.kick) }
    #expect(throws: AdminUsage("rename needs a NAME")) { try request(.rename, ["5"]) }
    #expect(throws: AdminUsage("state takes no 'x'")) { try request(.state, ["x"]) }
    #expect(throws: AdminUsage("kick takes no --minutes")) {
      try request(.kick, ["5"], [("minutes", "1")])
    }
    #expect(throws: AdminUsage("limits needs --bodies, --people or --commands")) {
      try request(.limits)
    }
  }

  @Test func everyVerbIsInTheUsage() {
    for verb in AdminVerb.allCases {
      let isThere = AdminVerb.usage.split(whereSeparator: { !$0.isLetter })
        .contains { $0 == verb.rawValue }
      #expect(isThere, "\(verb)")
    }
  }

  @Test func answersAreReadable() throws {
    let state = """
      {"scene":"pit","bodies":3,"bodyCap":5,"mostBodies":9,"frozen":true,"gravity":50,\
      "locked":true,"notice":"Hi","people":2,"peopleLimit":7,"commandsPerSecond":4,\
      "bans":[{"address":"::1","seconds":61}],"scenes":[]}
      """
    #expect(
      try AdminReport(.state, Array(state.utf8)).text == """
        scene     pit, frozen
        stickers  3, at most 5 of 9
        gravity   50 %
        people    2, at most 7, joining is locked
        commands  4 a second and person
        notice    Hi
        banned    ::1, 2 min more
        """)
    let done = #"{"done":"kick","person":5,"name":"A B"}"#
    #expect(try AdminReport(.kick, Array(done.utf8)).text == "done: kick, name A B, person 5")
    #expect(throws: Failure.self) { try AdminReport(.people, Array("{}".utf8)) }
    #expect(throws: Failure.self) { try AdminReport(.kick, Array("hello".utf8)) }
  }
}
