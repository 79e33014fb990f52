"""How long it takes until something happens for who has just opened the page; `make bench-first` measures it on
a machine that does nothing else."""

import subprocess

import pytest
from first import FIRST_MOVE_MS, FIRST_STICKER_MS, PHONE, first_move_ms, first_sticker_ms
from pitpage import PATIENT
from pitserver import STICKERPIT


@pytest.fixture
def lively(server):
    """A pit in which others play."""
    flags = ["--url", server.url.replace("http", "ws") + "ws", "--count", "5", "--seconds", "3600"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([STICKERPIT, "bots", *flags], **quiet) as bots:
        yield server
        bots.terminate()


def comes_within(most_ms, measure, tries):
    """The best of some tries: other work of the machine is no slowness of the page."""
    taken = []
    while len(taken) < tries:
        taken.append(measure())
        if taken[-1] < most_ms * PATIENT:
            return
    raise AssertionError(taken)


def test_the_first_move_is_seen_within_a_second(lively, new_page):
    def measure():
        page = new_page(**PHONE)
        taken = first_move_ms(page, lively.url)
        page.page.context.close()
        return taken

    comes_within(FIRST_MOVE_MS, measure, tries=5)


def test_from_the_code_to_the_first_sticker_is_a_tap_and_five_seconds(server, new_page):
    def measure():
        page = new_page(**PHONE)
        taken = first_sticker_ms(page, server.url)
        page.page.context.close()
        return taken

    comes_within(FIRST_STICKER_MS, measure, tries=3)
