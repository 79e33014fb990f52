#if canImport(CoreMotion) && os(iOS)
  import CoreMotion

  /// The phone's motion sensor as a tilt. Needs `NSMotionUsageDescription` in the app's Info.plist.
  ///
  ///     sensor.start()
  ///     client.tilt = sensor.tilt()      // before each picture
  public final class TiltSensor {
    private let manager = CMMotionManager()

    /// A sensor that is off.
    public init() {}

    /// Turns the sensor on. Where there is none, as in the simulator, `tilt(_:)` stays nil.
    public func start() {
      guard manager.isDeviceMotionAvailable else { return }
      // A new value for each of the 30 samples a second that a client sends.
      manager.deviceMotionUpdateInterval = 1 / 30
      manager.startDeviceMotionUpdates()
    }

    /// Turns the sensor off, which spares the battery.
    public func stop() { manager.stopDeviceMotionUpdates() }

    /// How the phone leans now; nil before the first value.
    /// - Parameter turn: how the screen is turned.
    public func tilt(_ turn: ScreenTurn = .upright) -> PitVector? {
      guard let gravity = manager.deviceMotion?.gravity else { return nil }
      return turn.tilt(gravityX: gravity.x, y: gravity.y)
    }
  }
#endif
