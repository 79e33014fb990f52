import Transport

/// What a messenger or a social network is told that wants a picture for a link to the page.
///
/// `index.html` names its picture by a relative address, since the file does not know where it is
/// served; but Open Graph (ogp.me) has absolute addresses only, and Facebook's and WhatsApp's
/// readers follow no others. They run no scripts either, so the tags are all that they get.
enum LinkPreview {
  /// Parts of the `User-Agent` by which such programs name themselves, in small letters. Signal's
  /// calls itself WhatsApp, iMessage's `facebookexternalhit` and `Twitterbot`. None is a part of
  /// what a browser says, nor an app that opens pages in itself: people get the page.
  private static let readers = [
    "facebookexternalhit", "facebookcatalog", "whatsapp", "twitterbot", "slackbot", "telegrambot",
    "discordbot", "linkedinbot", "skypeuripreview", "mastodon", "cardyb", "redditbot",
    "pinterestbot", "line-poker", "vkshare", "iframely", "embedly",
  ]
  /// Bytes of a `User-Agent` that are looked at; browsers' have about 120.
  private static let longestName = 512

  /// The tags with absolute addresses; nil for everybody else, who gets the page itself.
  /// - Parameter address: scheme, host and port of the page.
  static func answer(to request: HTTPRequest, address: String?) -> HTTPResponse? {
    guard let address, isReader(request.userAgent) else { return nil }
    // It stands in an attribute; hosts are checked (`RequestHead`), the public address at start.
    assert(!address.contains { "\"<>&".contains($0) } && !address.hasSuffix("/"))
    var response = HTTPResponse(
      contentType: "text/html; charset=utf-8", body: Array(page(address).utf8))
    response.headers = [.init("Vary", "User-Agent")]
    return response
  }

  static func isReader(_ userAgent: String) -> Bool {
    let name = String(decoding: userAgent.utf8.prefix(longestName), as: UTF8.self).lowercased()
    return readers.contains { name.contains($0) }
  }

  /// The same words as in `web/index.html`, which a test compares.
  private static func page(_ address: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>Sticker Pit</title>
    <meta name="description" content="A pit of stickers that everybody tilts together.">
    <meta property="og:type" content="website">
    <meta property="og:url" content="\(address)/">
    <meta property="og:title" content="Sticker Pit">
    <meta property="og:description" content="A pit of stickers that everybody tilts together.">
    <meta property="og:image" content="\(address)/icons/preview.png">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta property="og:image:alt" \
    content="Stickers with faces, fruit and cakes tumble in a tilted box.">
    <meta name="twitter:card" content="summary_large_image">
    <a href="\(address)/">Sticker Pit</a>

    """
  }
}
