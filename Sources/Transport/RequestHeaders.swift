import CLibWebSockets

/// Reads the headers of a request out of libwebsockets, while it still has them.
enum RequestHeaders {
  /// One header's text, or empty when it is missing.
  static func text(_ socket: OpaquePointer, _ token: lws_token_indexes) -> String {
    let length = Int(lws_hdr_total_length(socket, token))
    guard length > 0 else { return "" }
    // Two more bytes than the text: lws_hdr_copy wants room for its zero, and a fragment's comma.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 2) { buffer in
      guard lws_hdr_copy(socket, buffer.baseAddress, Int32(length + 2), token) > 0 else {
        return ""
      }
      return String(cString: buffer.baseAddress!)
    }
  }

  /// The text after `?`. libwebsockets keeps it cut at each `&`.
  static func query(_ socket: OpaquePointer) -> String {
    var parts: [String] = []
    while true {
      let length = Int(
        lws_hdr_fragment_length(socket, WSI_TOKEN_HTTP_URI_ARGS, Int32(parts.count)))
      guard length > 0 else { return parts.joined(separator: "&") }
      let part = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
        let count = lws_hdr_copy_fragment(
          socket, buffer.baseAddress, Int32(length + 1), WSI_TOKEN_HTTP_URI_ARGS,
          Int32(parts.count))
        return count < 0 ? nil : String(cString: buffer.baseAddress!)
      }
      guard let part else { return parts.joined(separator: "&") }
      parts.append(part)
    }
  }

  /// `GET`, `HEAD`, or something else.
  static func method(_ socket: OpaquePointer) -> String {
    if lws_hdr_total_length(socket, WSI_TOKEN_GET_URI) > 0 { return "GET" }
    if lws_hdr_total_length(socket, WSI_TOKEN_HEAD_URI) > 0 { return "HEAD" }
    return "other"
  }

  /// The decoded path of a GET.
  static func path(_ socket: OpaquePointer) -> String {
    text(socket, WSI_TOKEN_GET_URI)
  }
}
