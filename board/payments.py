"""Who pays whom at a table because of rulings that stand; pure."""

from board.slots import Items, Slots
from board.table_view import TableView
from board.texts import say
from board.words import foul_name
from mqtt.parts import LedgerLine, PaymentFields


def payments(table: TableView) -> Items:
    """Return every payment of the session, in the order of the rulings it follows from."""
    if table.ledger is None:
        return {}
    lines = {line.alert: line for line in table.ledger.lines}
    return {
        f"payment:{payment.alert}-{number}": _payment(table, payment, lines.get(payment.alert))
        for number, payment in enumerate(table.ledger.payments)
    }


def total_of(table: TableView, player: str) -> int:
    """Return what a player received less what the player paid."""
    return table.ledger.totals.get(player, 0) if table.ledger else 0


def _payment(table: TableView, payment: PaymentFields, line: LedgerLine | None) -> Slots:
    key = "table.pays" if payment.payee else "table.loses"
    text = say(key, payer=payment.payer, payee=payment.payee, points=payment.points)
    return {
        "text": text,
        "why": f"{foul_name(table.titles, line.kind)} · {line.person}" if line else "",
    }
