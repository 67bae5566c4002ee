import type { Environment } from '@pointgate/contract/environment.ts';
import { signInReturnPath } from '@pointgate/contract/sign-in.ts';

/** What another page sent along with the player. */
export interface Arrival {
  /** The path it came to. */
  path: string;
  /** What Apple's way through the server says about its end. A message, never proof of anything. */
  appleId: string | null;
  code: string | null;
  state: string | null;
}

// Providers add what they like to the address they return to. These are ours.
const ownParameters = ['lng', 'from'];

/** Reads what came along, and says how the address reads without it. */
export function readArrival(
  address: URL,
  { host }: Environment,
): { arrival: Arrival; cleanAddress: string } {
  const { pathname, hash } = address;
  const query = new URLSearchParams(address.search);
  const [appleId, code, state] = ['appleId', 'code', 'state'].map((name) => query.get(name));
  const isReturn = pathname === signInReturnPath;
  const isLogin = code != null && state != null;
  // A code alone is WeChat's only inside WeChat; elsewhere it may be a code to redeem.
  const isOpenId = code != null && state == null && host === 'wechat';

  query.delete('appleId');
  if (isLogin || isOpenId) for (const name of ['code', 'state']) query.delete(name);
  if (isReturn) {
    for (const name of [...query.keys()]) if (!ownParameters.includes(name)) query.delete(name);
  }

  const isTaken = isReturn || isLogin || isOpenId;
  const text = query.toString();
  return {
    arrival: {
      path: pathname,
      appleId: appleId ?? null,
      code: isTaken ? (code ?? null) : null,
      state: isTaken ? (state ?? null) : null,
    },
    cleanAddress: pathname + (text === '' ? '' : `?${text}`) + hash,
  };
}

let waiting: Arrival | null = null;

/**
 * Takes out of the address what must not stay there, before anything else can read, keep or send
 * it. Called once, before the first page is drawn.
 */
export function receiveArrival(environment: Environment): void {
  const address = new URL(window.location.href);
  const { arrival, cleanAddress } = readArrival(address, environment);
  waiting = arrival;
  if (cleanAddress !== address.pathname + address.search + address.hash) {
    window.history.replaceState(window.history.state, '', cleanAddress);
  }
}

export function hasArrived(isMine: (arrival: Arrival) => boolean): boolean {
  return waiting !== null && isMine(waiting);
}

/** Hands out what came along, once: a code works only once too. */
export function takeArrival(isMine: (arrival: Arrival) => boolean): Arrival | null {
  if (waiting === null || !isMine(waiting)) return null;
  const taken = waiting;
  waiting = null;
  return taken;
}
