import Testing
import Transport

@testable import Server

/// What programs get that show a link with a picture, and that nobody else gets it.
@Suite struct LinkPreviewTests {
  private func answer(_ userAgent: String, _ address: String? = "https://pit.example") -> String? {
    let request = HTTPRequest(path: "/", userAgent: userAgent)
    return LinkPreview.answer(to: request, address: address)
      .map { String(decoding: $0.body, as: UTF8.self) }
  }

  @Test(arguments: [
    "WhatsApp/2.23.20.0 A", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  ])
  func messengersAreToldTheAbsoluteAddress(_ userAgent: String) {
    let page = answer(userAgent)
    #expect(page?.contains(#"og:image" content="https://pit.example/icons/preview.png""#) == true)
    #expect(answer(userAgent, nil) == nil, "without an address there is nothing to tell")
  }

  @Test(arguments: [
    "",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 "
      + "Version/17.4 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
      + "Chrome/126.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/470.0.0.0;]",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 "
      + "Safari Line/14.5.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  ])
  func everybodyElseGetsThePage(_ userAgent: String) {
    #expect(answer(userAgent) == nil)
  }

  @Test func whatStandsBehindTheFirstBytesIsNotLookedAt() {
    #expect(answer(String(repeating: "x", count: 512) + "whatsapp") == nil)
  }
}
