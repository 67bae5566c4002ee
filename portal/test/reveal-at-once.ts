// React reveals suspended content at the earliest 300 ms after the last placeholder, to avoid
// flicker. Nearly every test would spend half of its time on that delay.

const wait = globalThis.setTimeout;
const isReveal = (act: TimerHandler) =>
  typeof act === 'function' && act.name === 'bound completeRootWhenReady';

// as: Node's types and a browser's differ in what a timer is.
globalThis.setTimeout = ((act: TimerHandler, ms?: number, ...given: unknown[]) =>
  Reflect.apply(wait, globalThis, [act, isReveal(act) ? 0 : ms, ...given])) as typeof setTimeout;
