/** Makes the clock of this process wrong. */

/** @param shiftMs how far it is ahead, in ms; negative for behind */
export function shiftClock(shiftMs: number): void {
  const now = () => RealDate.now() + shiftMs;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
