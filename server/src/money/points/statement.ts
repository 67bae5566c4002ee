import { createHash } from 'node:crypto';

export const entryKinds = [
  'top_up',
  'gift',
  'spend',
  'refund',
  'claw_back',
  'restore',
  'expiry',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** One line of a player's statement. */
export interface Entry {
  seq: number;
  at: Date;
  kind: EntryKind;
  originId: string;
  posting: string;
  basicChange: bigint;
  presentChange: bigint;
  basicAfter: bigint;
  presentAfter: bigint;
  /** By how much the entry changed each lot, as `lot:points,…`. */
  draws: string;
}

/** The text of an entry that is hashed. Players keep it, so the format must never change. */
export function lineOf(entry: Entry): string {
  return [
    entry.seq,
    entry.at.toISOString(),
    entry.kind,
    entry.originId,
    entry.posting,
    entry.basicChange,
    entry.presentChange,
    entry.basicAfter,
    entry.presentAfter,
    entry.draws,
  ].join('|');
}

/** The first hash of a chain. It contains the account, so chains of two accounts always differ. */
export function firstHash(accountId: string): Buffer {
  return sha256(accountId);
}

export function nextHash(prevHash: Buffer, line: string): Buffer {
  return sha256(`${prevHash.toString('hex')}\n${line}`);
}

/** The whole statement as text that `verify-ledger.mjs` can verify. */
export function ledgerText(
  { accountId, madeAt, head }: { accountId: string; madeAt: Date; head: string },
  entries: readonly (Entry & { hash: Buffer })[],
): string {
  return [
    'pointgate ledger 1',
    `account ${accountId}`,
    `made ${madeAt.toISOString()}`,
    `entries ${entries.length}`,
    `head ${head}`,
    'seq|at|kind|origin|posting|basic|present|basic after|present after|lots|hash',
    ...entries.map((entry) => `${lineOf(entry)}|${entry.hash.toString('hex')}`),
    '',
  ].join('\n');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
