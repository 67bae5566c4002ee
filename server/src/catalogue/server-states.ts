import { serverStatus } from '@pointgate/contract/named-numbers.ts';

// The status of a game server at a moment, from what was said about it. A status with an end needs
// nobody to end it: every process computes it from the same rows and its own clock.

export type Teller = 'operator' | 'game';

/** What an operator or the game says about a server. After the end it says no more. */
export interface ServerWord {
  toldBy: Teller;
  status: 0 | 1;
  until: Date | null;
}

export interface ServerState {
  status: 0 | 1;
  /** The known end of a maintenance. */
  until: Date | null;
  toldBy: Teller | 'catalogue';
}

/**
 * The word of an operator counts before that of the game, and that before the catalogue. A server
 * whose maintenance has ended is open, unless somebody else says otherwise.
 */
export function stateAt(
  words: readonly ServerWord[],
  catalogueStatus: 0 | 1,
  nowMs: number,
): ServerState {
  const { status, toldBy, until } = saidAt(words, catalogueStatus, nowMs);
  if (status === serverStatus.open || until === null) return { status, toldBy, until: null };
  // Another maintenance may follow at once: the game's own, after that of an operator.
  const next = stateAt(words, catalogueStatus, until.getTime());
  return { status, toldBy, until: next.status === serverStatus.open ? until : next.until };
}

function saidAt(words: readonly ServerWord[], catalogueStatus: 0 | 1, nowMs: number): ServerState {
  const isOver = ({ until }: ServerWord) => until !== null && until.getTime() <= nowMs;
  const counts = (teller: Teller) => words.find((word) => word.toldBy === teller && !isOver(word));
  const word = counts('operator') ?? counts('game');
  if (word !== undefined) return word;
  const ended = words.find(({ status }) => status === serverStatus.maintenance);
  return ended === undefined
    ? { status: catalogueStatus, until: null, toldBy: 'catalogue' }
    : { status: serverStatus.open, until: null, toldBy: ended.toldBy };
}
