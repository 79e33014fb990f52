import Foundation
import Testing
import TickLog

@testable import NATSLink

/// What is said to JetStream and understood of its answers. What a real one does with it,
/// Tests/Interop/test_cluster.py sees.
@Suite struct StreamTests {
  @Test func namesAreThoseOfSubjects() {
    for name in ["a", "hall", "Hall_2-b", String(repeating: "x", count: 32)] {
      #expect(JetStreamLink.Settings.isName(name))
    }
    for name in ["", "a b", "a.b", "a*", ">", "é", String(repeating: "x", count: 33)] {
      #expect(!JetStreamLink.Settings.isName(name), "\(name)")
    }
  }

  @Test func serversAreURLsOfNATS() {
    for text in [
      "nats://127.0.0.1:4222", "tls://a.example", "nats://u:p@a:1,nats://b:2,tls://c",
    ] { #expect(JetStreamLink.Settings.areServers(text), "\(text)") }
    for text in ["", "127.0.0.1", "http://a", "nats://", "nats://a,", "nats://a/b"] {
      #expect(!JetStreamLink.Settings.areServers(text), "\(text)")
    }
  }

  @Test func streamsAreAskedForAsTheServerReadsThem() throws {
    let names = StreamNames("hall")
    let streams = names.streams(replicas: 3)
    #expect(
      streams.map(\.name)
        == ["PIT_hall", "PIT_hall_WORLDS", "PIT_hall_LEADER", "PIT_hall_BLOCKS"])
    #expect(names.subject(of: .leader) == "pit.hall.leader")
    #expect(names.subject(of: .block(7)) == "pit.hall.block.7")
    let log = try #require(try json(streams[0]))
    #expect(log["subjects"] as? [String] == ["pit.hall.log"])
    #expect(
      log["republish"] as? [String: String] == ["src": "pit.hall.log", "dest": "pit.hall.stored"])
    #expect(log["num_replicas"] as? Int == 3 && log["max_age"] as? Int == 0)
    #expect(log["allow_direct"] as? Bool == true && log["storage"] as? String == "file")
    let leader = try #require(try json(streams[2]))
    #expect(leader["max_age"] as? Int == 1_200_000_000 && leader["max_msgs"] as? Int == 1)
    #expect(
      leader["duplicate_window"] as? Int == 1_200_000_000, "no longer than messages live")
    let blocks = try #require(try json(streams[3]))
    #expect(blocks["max_msgs_per_subject"] as? Int == 1)
    #expect(blocks["subjects"] as? [String] == ["pit.hall.block.*"])
  }

  private func json(_ stream: StreamSettings) throws -> [String: Any]? {
    try JSONSerialization.jsonObject(with: JSONEncoder().encode(stream)) as? [String: Any]
  }

  @Test func answersOfAppends() {
    #expect(answer(#"{"stream":"PIT_a","seq":12}"#).append == .stored(12))
    #expect(answer(#"{"stream":"PIT_a","seq":12,"duplicate":true}"#).append == .stored(12))
    let wrong = #"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 3"}}"#
    #expect(answer(wrong).append == .otherEnd && answer(wrong).claim == .some(nil))
    let full = #"{"error":{"code":503,"err_code":10023,"description":"insufficient resources"}}"#
    #expect(answer(full).append == .failed("insufficient resources"))
    #expect(answer(full).claim == nil, "it says nothing about the claim")
    #expect(answer("what").append == .failed("an answer that can't be read"))
    #expect(answer("", status: "503").append == .failed("JetStream does not answer"))
  }

  @Test func answersOfStreams() {
    let state = answer(#"{"state":{"messages":2,"first_seq":4,"last_seq":5}}"#).state
    #expect(state?.first == 4 && state?.last == 5)
    let used = #"{"error":{"code":400,"err_code":10058,"description":"name already in use"}}"#
    #expect(answer(used).isNameInUse && answer(used).problem == "name already in use")
    #expect(answer("{}").state == nil && answer("{}").problem == nil)
  }

  private func answer(_ text: String, status: String? = nil) -> StreamAnswer {
    StreamAnswer(NATSMessage(subject: "", bytes: Array(text.utf8), sequence: nil, status: status))
  }

  @Test func anUnreachableServerIsAnErrorThatNamesIt() {
    let settings = JetStreamLink.Settings(url: "nats://127.0.0.1:1", world: "a")
    #expect {
      try JetStreamLink(settings)
    } throws: { error in
      "\(error)".hasPrefix("NATS at nats://127.0.0.1:1: ")
    }
  }
}
