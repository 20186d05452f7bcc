"""Reaches a table over the modules that are fitted to it, on one bus or several."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from drivers.modbus.fitted import Fitted
from drivers.modbus.link import ModbusTableLink
from drivers.port import Now, TableLink
from table.errors import LinkError, LinkUnavailable


class ModbusTableDriver:
    """Obeys `drivers.port.TableDriver`.

    Args:
        table: its modules and what they are for.
        now: the daemon's clock, the same that the buses have.
    """

    def __init__(self, table: Fitted, now: Now) -> None:
        self._table = table
        self._now = now

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[TableLink]:
        """Join the buses, learn who is there, and hand over the link.

        Raises:
            LinkUnavailable: a port is absent or busy; a module is silent or not the one expected.
        """
        async with AsyncExitStack() as stack:
            yield await self._begun(stack)

    async def _begun(self, stack: AsyncExitStack) -> ModbusTableLink:
        link = ModbusTableLink(self._table, self._now)
        modules = self._table.modules
        try:
            joined = {
                bus: await stack.enter_async_context(bus.joined(link.lose))
                for bus in dict.fromkeys(module.bus for module in modules.values())
            }
            stack.push_async_callback(link.close)
            await link.begin({name: joined[module.bus] for name, module in modules.items()})
        except LinkUnavailable:
            raise
        except LinkError as error:
            raise LinkUnavailable(str(error)) from error
        return link
