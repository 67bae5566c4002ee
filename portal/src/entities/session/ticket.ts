import { arrivalSwitchHeader } from '@pointgate/contract/arrivals.ts';
import { useSyncExternalStore } from 'react';

// A player who comes from a game has a ticket or a token in the address. The inline script of
// index.html removes it before other code can read, store or send it, and leaves it in memory for
// this module, until the server has answered.

declare global {
  interface Window {
    pointgateTicket?: string;
  }
}

/** A link for another account than the signed-in one, which the player has to confirm. */
export interface OtherLink {
  ticket: string;
  displayName: string;
}

/** The error codes of a refused link. */
const linkRefusals = ['ArrivalRefused', 'AccountLeaving', 'AccountSuspended'] as const;
type LinkRefusal = (typeof linkRefusals)[number];

/** The dialog about the link: a refusal or a question. */
type Notice = { refusal: LinkRefusal | null; other: OtherLink | null };

const nothingToSay: Notice = { refusal: null, other: null };
const listeners = new Set<() => void>();
let notice = nothingToSay;

/** Returns the ticket or token of the arrival, once. */
export function takeTicket(): string | null {
  const { pointgateTicket = null } = window;
  delete window.pointgateTicket;
  return pointgateTicket;
}

/** Keeps the ticket of a request without a response for the next request. */
export function putTicketBack(ticket: string): void {
  window.pointgateTicket = ticket;
}

/**
 * The headers of `user/info`. Header values must be plain text, while an address may contain
 * anything. The account is switched only after a confirmation of the player.
 */
export function ticketHeaders(
  ticket: string,
  { isSwitch = false }: { isSwitch?: boolean } = {},
): Record<string, string> {
  const from = new URLSearchParams(window.location.search).get('from') ?? '';
  return {
    'x-token': /^[\w.-]{1,4096}$/.test(ticket) ? ticket : 'illegible',
    'x-from': /^[\w.-]{1,32}$/.test(from) ? from : 'unknown',
    ...(isSwitch && { [arrivalSwitchHeader]: 'yes' }),
  };
}

/**
 * Shows the refusal, and the player continues as a visitor. False if the call failed for another
 * reason.
 */
export function tellTicketRefused(code: string | number): boolean {
  // Throttled after too many refused links of this network: shown like a refused link.
  const told = code === 'SignInThrottled' ? 'ArrivalRefused' : code;
  const refusal = linkRefusals.find((known) => known === told);
  if (refusal === undefined) return false;
  say({ ...nothingToSay, refusal });
  return true;
}

/** Shows the question; the current account stays signed in until the player confirms. */
export function askToSwitch(other: OtherLink): void {
  say({ ...nothingToSay, other });
}

export function closeTicketNotice(): void {
  say(nothingToSay);
}

export function useTicketNotice(): Notice {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => notice,
  );
}

function say(next: Notice): void {
  notice = next;
  for (const listener of listeners) listener();
}
