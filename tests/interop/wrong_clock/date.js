// Puts the wall clock of a page wrong by hours, and nothing else.
globalThis.Date = class extends Date {
  static AHEAD = (5 * 60 + 17) * 60_000;

  constructor(...parts) {
    super(...(parts.length ? parts : [Date.now()]));
  }

  static now() {
    return super.now() + this.AHEAD;
  }
};
