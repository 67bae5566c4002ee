import type { Environment } from '@pointgate/contract/environment.ts';
import { signInReturnPath } from '@pointgate/contract/sign-in.ts';

/** The parameters that another page passed with the player. */
export interface Arrival {
  /** The path of the arrival. */
  path: string;
  /**
   * The result of an Apple sign-in, set by the server. Only a message, never a proof of identity.
   */
  appleId: string | null;
  code: string | null;
  state: string | null;
}

// Our parameters of the callback address. Providers add others, which are removed.
const ownParameters = ['lng', 'from'];

/** Parses the arrival parameters and returns the address without them. */
export function readArrival(
  address: URL,
  { host }: Environment,
): { arrival: Arrival; cleanAddress: string } {
  const { pathname, hash } = address;
  const query = new URLSearchParams(address.search);
  const [appleId, code, state] = ['appleId', 'code', 'state'].map((name) => query.get(name));
  const isReturn = pathname === signInReturnPath;
  const isLogin = code != null && state != null;
  // A code without state belongs to WeChat only inside WeChat; elsewhere it may be redeemable.
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
 * Removes the arrival parameters from the address before other code can read, store or send them.
 * Called once, before the first render.
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

/** Returns the arrival once, because its code works only once. */
export function takeArrival(isMine: (arrival: Arrival) => boolean): Arrival | null {
  if (waiting === null || !isMine(waiting)) return null;
  const taken = waiting;
  waiting = null;
  return taken;
}
