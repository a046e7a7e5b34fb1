import asyncio

import pytest

from models.chat_model import ModelBusyError
from models.waiting_line import WaitingLine


async def settle() -> None:
    """Let every task that can go on do so."""
    for _ in range(5):
        await asyncio.sleep(0)


class Guest:
    """Holds a slot until it is told to go; remembers the places it heard of."""

    def __init__(self, line: WaitingLine) -> None:
        self.places: list[int] = []
        self.go = asyncio.Event()
        self.task = asyncio.create_task(self._visit(line))

    async def _visit(self, line: WaitingLine) -> None:
        async with line.slot(self.places.append):
            await self.go.wait()


async def test_a_free_slot_is_given_at_once() -> None:
    guest = Guest(WaitingLine(1, 1))
    await settle()
    assert guest.places == [0]
    guest.task.cancel()


async def test_every_step_forward_is_told() -> None:
    line = WaitingLine(1, 10)
    guests = [Guest(line) for _ in range(4)]
    for guest in guests:
        await settle()
        guest.go.set()
    await asyncio.gather(*(guest.task for guest in guests))
    assert [guest.places for guest in guests] == [[0], [1, 0], [2, 1, 0], [3, 2, 1, 0]]


async def test_who_leaves_the_line_makes_room() -> None:
    line = WaitingLine(1, 10)
    first, second, third = (Guest(line) for _ in range(3))
    await settle()
    second.task.cancel()
    await settle()
    assert third.places == [2, 1]
    first.go.set()
    await settle()
    assert third.places == [2, 1, 0]
    third.task.cancel()


async def test_a_slot_given_to_someone_who_left_in_that_moment_is_not_lost() -> None:
    line = WaitingLine(1, 10)
    first, second = Guest(line), Guest(line)
    await settle()
    first.go.set()
    await asyncio.wait([first.task])
    second.task.cancel()
    third = Guest(line)
    await settle()
    assert third.places[-1] == 0
    third.task.cancel()


async def test_a_full_line_is_busy() -> None:
    line = WaitingLine(1, 1)
    guests = [Guest(line), Guest(line)]
    await settle()
    with pytest.raises(ModelBusyError):
        await line.enter()
    for guest in guests:
        guest.task.cancel()


async def test_as_many_as_there_are_slots_go_in_at_once() -> None:
    line = WaitingLine(3, 10)
    guests = [Guest(line) for _ in range(4)]
    await settle()
    assert [guest.places[-1] for guest in guests] == [0, 0, 0, 1]
    for guest in guests:
        guest.task.cancel()


async def test_a_failing_guest_frees_its_slot() -> None:
    line = WaitingLine(1, 0)
    with pytest.raises(ZeroDivisionError):
        async with line.slot():
            raise ZeroDivisionError
    async with line.slot():
        pass
