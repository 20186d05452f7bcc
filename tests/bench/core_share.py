"""Budget 3: how many tables one core carries, on the serial link and over Modbus."""

from collections.abc import Iterator

from tests.bench.finding import Finding
from tests.bench.hall import Plan, Watched
from tests.bench.polls import Pair, Polled
from tests.bench.press_to_event import latency

NUMBER = 3
TABLES = 250
HERTZ = 50
SERIAL_GOAL, POLLED_GOAL = 0.25, 0.6


def serial(runs: list[tuple[Plan, Watched]]) -> Finding:
    """Hold the daemon's share of a core against the budget, at play load."""
    lost = {plan.tables: latency(plan, watched).lost for plan, watched in runs}
    shares = {plan.tables: watched.processor for plan, watched in runs}
    misses = [f"at {size} tables {count} presses made no event" for size, count in lost.items()
              if count]  # fmt: skip
    if shares[TABLES] > SERIAL_GOAL:
        misses.append(f"{TABLES} serial tables take {shares[TABLES]:.0%} of a core")
    return Finding(
        number=NUMBER,
        title=f"one core, {TABLES} tables on the serial link at play load",
        goal=f"at most {SERIAL_GOAL:.0%} of a core, nothing lost",
        beside="nothing: the figure is a share of one core of this machine, by the processor time"
        " of the daemon; tables and broker are processes of their own. To see that cost grows no"
        " faster than the number of tables, compare the last column.",
        columns=("tables", "seconds", "share of a core", "presses lost", "µs a table and second"),
        rows=tuple(
            (
                str(plan.tables),
                str(plan.watch.seconds),
                f"{watched.processor:.1%}",
                str(lost[plan.tables]),
                f"{watched.processor / plan.tables * 1e6:.0f}",
            )
            for plan, watched in runs
        ),
        misses=tuple(misses),
    )


def polled(pairs: list[Pair]) -> Finding:
    """Hold the cost of polling against the budget, measured or, where it does not fit, reckoned."""
    return Finding(
        number=NUMBER,
        title=f"one core, {TABLES} Modbus tables polled {HERTZ} times a second",
        goal=f"at most {POLLED_GOAL:.0%} of a core, nothing late or lost",
        beside="peer: the same polls by pymodbus' own client, whose answers nobody looks at. One"
        " module for each table, each with a connection of its own over the loopback, all in one"
        " process in C that presses as play load does; ours goes down to the presses of the seats."
        " Late is a poll that missed its beat. The forecast is the cost of a poll of the largest"
        f" row times {TABLES * HERTZ} polls a second; more than 100% is more than a core has, and"
        " only a row that says so was measured at that rate.",
        columns=(
            "tables",
            "polls/s wanted",
            "who",
            "polls/s",
            "share of a core",
            "µs a poll",
            "late",
            "presses shown",
            "told",
        ),
        rows=(*_rows(pairs), *_forecast_rows(pairs[-1])),
        misses=tuple(_misses(pairs)),
    )


def forecast(poller: Polled) -> float:
    """Return the share of a core that all the polls of the budget take at this cost."""
    return poller.cost * TABLES * HERTZ / 1e6


def _rows(pairs: list[Pair]) -> Iterator[tuple[str, ...]]:
    for pair in pairs:
        for who, one in (("ours", pair.ours), ("pymodbus", pair.bare)):
            yield (
                str(one.tables),
                str(one.tables * one.hertz),
                who,
                f"{one.rate:.0f}",
                f"{one.share:.0%}",
                f"{one.cost:.0f}",
                str(one.late),
                str(one.shown),
                str(one.told) if one is pair.ours else "",
            )


def _forecast_rows(pair: Pair) -> Iterator[tuple[str, ...]]:
    for who, one in (("ours, forecast", pair.ours), ("pymodbus, forecast", pair.bare)):
        wanted = TABLES * HERTZ
        yield (str(TABLES), str(wanted), who, "", f"{forecast(one):.0%}", "", "", "", "")


def _misses(pairs: list[Pair]) -> Iterator[str]:
    for one in (pair.ours for pair in pairs):
        if one.told < one.shown:
            yield f"of {one.shown} presses at {one.tables} Modbus tables {one.told} were told"
        if one.late and not one.full:
            yield f"{one.late} polls of {one.tables} Modbus tables were late"
    if (share := forecast(pairs[-1].ours)) > POLLED_GOAL:
        yield f"{TABLES} Modbus tables at {HERTZ} Hz would take {share:.0%} of a core"
