import { arrivalSwitchHeader } from '@pointgate/contract/arrivals.ts';
import { useSyncExternalStore } from 'react';

// A player who comes from a game has a ticket or a token in the address. The script at the top of
// index.html takes it out of there before anything else can read, keep or send it, and leaves it
// here: in memory only, and only until the server has answered.

declare global {
  interface Window {
    pointgateTicket?: string;
  }
}

/** A link for another account than the one that is signed in: the player is asked. */
export interface OtherLink {
  ticket: string;
  displayName: string;
}

/** Why nobody is signed in by a link. */
const linkRefusals = ['ArrivalRefused', 'AccountLeaving', 'AccountSuspended'] as const;
type LinkRefusal = (typeof linkRefusals)[number];

/** What is said of the link that the player came by. */
type Notice = { refusal: LinkRefusal | null; other: OtherLink | null };

const nothingToSay: Notice = { refusal: null, other: null };
const listeners = new Set<() => void>();
let notice = nothingToSay;

/** The ticket or token the player came with, once. */
export function takeTicket(): string | null {
  const { pointgateTicket = null } = window;
  delete window.pointgateTicket;
  return pointgateTicket;
}

/** For a call that found nobody: the next one brings it again. */
export function putTicketBack(ticket: string): void {
  window.pointgateTicket = ticket;
}

/**
 * What `user/info` sends along. Headers carry plain text only, and addresses anything at all. Only a player
 * who was asked is signed in as somebody else than now.
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
 * The player is told, and goes on as a visitor. False where the call failed for another reason than the link.
 */
export function tellTicketRefused(code: string | number): boolean {
  // Too many links that were refused came from this network: this one is not looked at either.
  const told = code === 'SignInThrottled' ? 'ArrivalRefused' : code;
  const refusal = linkRefusals.find((known) => known === told);
  if (refusal === undefined) return false;
  say({ ...nothingToSay, refusal });
  return true;
}

/** The player is asked, and stays who they are until then. */
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
