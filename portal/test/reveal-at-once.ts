// React shows what it waited for 300 ms after the last placeholder at the earliest, so that pages do not
// flicker. Nobody watches here, and nearly every test would spend half of its time on that.

const wait = globalThis.setTimeout;
const isReveal = (act: TimerHandler) =>
  typeof act === 'function' && act.name === 'bound completeRootWhenReady';

// as: Node's types and a browser's differ in what a timer is.
globalThis.setTimeout = ((act: TimerHandler, ms?: number, ...given: unknown[]) =>
  Reflect.apply(wait, globalThis, [act, isReveal(act) ? 0 : ms, ...given])) as typeof setTimeout;
