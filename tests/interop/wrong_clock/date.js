// Puts the wall clock of a page wrong, and no other clock: it is hours ahead and gains a second in every second.
{
  const AHEAD_MS = (5 * 60 + 17) * 60_000;
  const Right = Date;
  const start = Right.now();

  globalThis.Date = class extends Right {
    constructor(...parts) {
      super(...(parts.length ? parts : [globalThis.Date.now()]));
    }

    static now() {
      return 2 * Right.now() - start + AHEAD_MS;
    }
  };
}
