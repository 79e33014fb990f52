#if canImport(SwiftUI) && (os(iOS) || os(macOS) || os(visionOS))
  import SwiftUI

  /// A pit on the screen: shows every picture of a client, and does what a finger asks for.
  @available(iOS 15, macOS 12, *)
  @MainActor
  public struct PitView: View {
    private let client: PitClient
    private let tilt: () -> PitVector?
    private let draw: (Sticker, inout GraphicsContext, CGSize) -> Void
    @State private var finger = PitFinger()

    /// - Parameters:
    ///   - client: whose pictures are shown; it is asked for one at each of the screen's.
    ///   - tilt: how the phone leans, asked before each picture; nil for somebody who doesn't tilt.
    ///   - draw: draws a sticker of a size in a context whose origin is the sticker's middle and
    ///     which is turned as the sticker is.
    public init(
      _ client: PitClient, tilt: @escaping () -> PitVector? = { nil },
      draw: @escaping (Sticker, inout GraphicsContext, CGSize) -> Void = PitView.drawPlain
    ) {
      self.client = client
      self.tilt = tilt
      self.draw = draw
    }

    /// The world as large as it fits.
    public var body: some View {
      GeometryReader { geometry in
        TimelineView(.animation) { _ in
          let picture = nextPicture()
          Canvas { context, size in show(picture, &context, size) }
        }
        .contentShape(Rectangle())
        .gesture(
          DragGesture(minimumDistance: 0)
            .onChanged { touch in
              let size = geometry.size
              let fit = PitFit(
                client.shown.world, width: Float(size.width), height: Float(size.height))
              let point = PitVector(Float(touch.location.x), Float(touch.location.y))
              finger.touched(at: fit.world(point), in: client)
            }
            .onEnded { _ in finger.lifted(in: client) })
      }
    }

    /// A sticker without a picture: a disc or a box in a colour of its kind.
    public nonisolated static func drawPlain(
      _ sticker: Sticker, _ context: inout GraphicsContext, _ size: CGSize
    ) {
      let box = CGRect(
        x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
      let corner = sticker.isDisc ? size.width / 2 : size.width / 10
      let path = Path(roundedRect: box, cornerRadius: corner)
      let colour = Color(hue: Double(sticker.kind % 16) / 16, saturation: 0.6, brightness: 0.95)
      context.fill(path, with: .color(colour))
      if sticker.holder != nil { context.stroke(path, with: .color(.white), lineWidth: 3) }
    }

    private func nextPicture() -> PitPicture {
      client.tilt = tilt()
      return client.picture()
    }

    private func show(_ picture: PitPicture, _ context: inout GraphicsContext, _ size: CGSize) {
      let fit = PitFit(picture.world, width: Float(size.width), height: Float(size.height))
      let scale = CGFloat(fit.scale)
      context.translateBy(x: CGFloat(fit.origin.x), y: CGFloat(fit.origin.y))
      context.scaleBy(x: scale, y: scale)
      for line in picture.boundaries + picture.rods {
        var path = Path()
        path.move(to: CGPoint(x: CGFloat(line.from.x), y: CGFloat(line.from.y)))
        path.addLine(to: CGPoint(x: CGFloat(line.to.x), y: CGFloat(line.to.y)))
        context.stroke(path, with: .color(.gray), lineWidth: 2)
      }
      for sticker in picture.stickers {
        var own = context
        own.translateBy(x: CGFloat(sticker.center.x), y: CGFloat(sticker.center.y))
        own.rotate(by: .radians(Double(sticker.angle)))
        draw(sticker, &own, CGSize(width: CGFloat(sticker.width), height: CGFloat(sticker.height)))
      }
    }
  }
#endif
