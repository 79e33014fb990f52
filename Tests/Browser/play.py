"""What tests of people at play ask of a page."""

STICKER = "pit.positions().find(sticker => sticker.slot === slot)"


def sticker(page, slot):
    return page.get(STICKER.replace("slot === slot", f"slot === {slot}"))


def is_held_by(page, slot, holder):
    page.wait(
        f"(pit, [slot, holder]) => {STICKER}?.holder === holder",
        [slot, holder],
    )


def holds(page, slots):
    """Waits until a page holds these and no others: it may hear of it later than another one."""
    page.wait(
        """(pit, slots) => pit.holding.length === slots.length
          && slots.every(slot => pit.holding.includes(slot))""",
        slots,
    )


def rests(page, slot):
    """Waits until a sticker moves no point in a third of a second; it may be held."""
    page.page.evaluate("window.resting = { tick: -20, x: 0, y: 0 }")
    page.wait(
        f"""(pit, slot) => {{
          const {{ tick, x, y }} = window.resting;
          if (pit.tick < tick + 20) return false;
          const sticker = {STICKER};
          window.resting = {{ tick: pit.tick, x: sticker.x, y: sticker.y }};
          return Math.hypot(sticker.x - x, sticker.y - y) < 1;
        }}""",
        slot,
    )


def note_least(page, expression):
    """Keeps the least value that an expression of `pit` has in any picture, as window.least."""
    page.page.evaluate(
        f"""() => {{
          window.least = Infinity;
          const look = () => {{
            const pit = window.stickerPit;
            window.least = Math.min(window.least, {expression});
            requestAnimationFrame(look);
          }};
          look();
        }}"""
    )


def is_near(page, slot, point, within=12):
    page.wait(
        f"""(pit, [slot, x, y, within]) => {{
          const sticker = {STICKER};
          return Math.hypot(sticker.x - x, sticker.y - y) < within;
        }}""",
        [slot, *point, within],
    )
