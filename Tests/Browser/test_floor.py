"""The marks of the pit's floor, which show everybody's tilt: dots at rest, drawn out along a tilt."""

import base64

# How far the mark at a pixel of a picture reaches across and down, in points, and by how much its colour
# differs from that of the floor between four marks. So many pixels are a point.
MARK = """async ([picture, x, y, point]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const colour = (right, down) =>
    [...context.getImageData(Math.round(x + right), Math.round(y + down), 1, 1).data].slice(0, 3);
  const difference = (one, other) =>
    one.reduce((sum, part, index) => sum + Math.abs(part - other[index]), 0);
  const floor = colour(24 * point, 24 * point);
  const contrast = difference(colour(0, 0), floor);
  const reach = (right, down) => {
    let steps = 0;
    while (steps < 24 * point && difference(colour(right * steps, down * steps), floor) > contrast / 2) {
      steps += 1;
    }
    return steps / point;
  };
  return { contrast, across: reach(1, 0) + reach(-1, 0), down: reach(0, 1) + reach(0, -1) };
}"""

# A mark is the middle of each 15th of the pit's width; this one is far from where stickers lie.
MIDDLE = (360, 264)
SHARPNESS = 2


def mark(page):
    x, y = page.place(*MIDDLE)
    point = SHARPNESS * (page.place(MIDDLE[0] + 100, MIDDLE[1])[0] - x) / 100
    picture = base64.b64encode(page.page.screenshot()).decode()
    return page.page.evaluate(MARK, [picture, SHARPNESS * x, SHARPNESS * y, point])


def is_a_dot(found):
    return found["contrast"] > 20 and 3 < found["across"] < 8 and 3 < found["down"] < 8


def test_the_floors_marks_are_dots_at_rest_and_drawn_out_along_a_tilt(start_pit, new_page):
    server = start_pit("--bodies", 1, "--seed", 1)
    page = new_page(device_scale_factor=SHARPNESS).join(f"http://127.0.0.1:{server.port}/")
    page.settle()
    page.until(lambda: is_a_dot(mark(page)))
    page.page.keyboard.down("ArrowRight")
    page.wait("pit => pit.gravity.x > 0.9 && Math.abs(pit.gravity.y) < 0.1")

    def is_drawn_out():
        found = mark(page)
        return found["across"] > 25 and 3 < found["down"] < 8

    page.until(is_drawn_out)
    page.page.keyboard.up("ArrowRight")
    page.until(lambda: is_a_dot(mark(page)))
    assert page.complaints == []
