"""What tests of people at play ask of a page."""

STICKER = "pit.positions().find(sticker => sticker.slot === slot)"


def sticker(page, slot):
    return page.get(STICKER.replace("slot === slot", f"slot === {slot}"))


def is_held_by(page, slot, holder):
    page.wait(
        f"(pit, [slot, holder]) => {STICKER}?.holder === holder",
        [slot, holder],
    )


def is_near(page, slot, point, within=12):
    page.wait(
        f"""(pit, [slot, x, y, within]) => {{
          const sticker = {STICKER};
          return Math.hypot(sticker.x - x, sticker.y - y) < within;
        }}""",
        [slot, *point, within],
    )
