"""What a written hand lets a referee say is taken over the wire as it was meant."""

import json

import pytest

from controller.demo_orders import arguments, precondition, verb_of
from mqtt.orders import CommandPayload
from mqtt.verbs import VERBS
from table.happening import RefereeOrders, RefereeRules
from table.script import read_script

LINES = [
    *("start-hand", "end-deal", "pause", "pause spilled tea", "resume", "resume remaining"),
    *("give-time 20 tile on the floor", "extra-time 5 jammed machine", "set-turn 3 he drew"),
    *("confirm-hu", "confirm-hu 3 1", "withdraw-hu", "draw-hand", "draw-hand wall gone"),
    *("void-hand wall fell", "restart-hand wrong deal", "stand-in 2 reserve-1 player is out"),
    *(
        "seat-players ann bo cy di",
        "dice 2 3 5",
        "answer-call 4",
        "enter-foul wrong-meld 2 chow of 2 4 5",
    ),
    *("acknowledge last", "confirm last", "waive last elbow", "reverse last mix-up", "undo last"),
    *("modify last 10-each+mechanical third time", "modify last 20-player:ann harmed"),
    *("take-up last", "take-up last objector 2", "escalate last out", "note last saw it"),
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_referee_is_the_same_command_at_the_other_end(line: str) -> None:
    said = read_script(f"1 referee {line}")[0].happening
    assert isinstance(said, RefereeOrders | RefereeRules)
    command = said.command if isinstance(said, RefereeOrders) else said.on("t1-1-f1", 3)
    payload = CommandPayload(
        id="a",
        person="Referee A",
        precondition=precondition(command, "t1-1"),
        arguments=arguments(command),
    )

    heard = json.loads(payload.encode())
    verb = VERBS[verb_of(command)]
    taken = verb.arguments.model_validate(heard["arguments"])

    assert verb.order(taken, heard["precondition"]["revision"]) == command
