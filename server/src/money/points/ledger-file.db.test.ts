import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenAccount } from '../../../test/orders.ts';
import { hashOfEntry } from '../../../test/points/entry-hash.ts';
import { givenWallet, openPointsDb } from '../../../test/points/wallets.ts';
import { type Db, sql } from '../../platform/db.ts';
import { ledgerFile, walletOf } from './points.ts';

const script = fileURLToPath(
  new URL('../../../../portal/public/verify-ledger.mjs', import.meta.url),
);

let db: Db;
let close: () => Promise<void>;
let folder: string;
let file: string;
let foreignFile: string;
beforeAll(async () => {
  ({ db, close } = await openPointsDb());
  folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  [file, foreignFile] = [await givenFile(), await givenFile()];
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await close();
});

/** A statement with a top-up, a spend, a refund, a claw-back into debt and a settled debt. */
async function givenFile(): Promise<string> {
  const wallet = await givenWallet(db);
  const topUp = await wallet.topUp({ basic: 100n, present: 20n, days: 5 });
  const order = await wallet.spend(50n);
  await wallet.giveBack(order, 10n);
  await wallet.keep(topUp, 0n, 0n);
  await wallet.topUp({ basic: 50n });
  return await ledgerFile(db, wallet.accountId);
}

/** The output and the exit code of the verification script that players run. */
async function verify(text: string): Promise<{ says: string; code: unknown }> {
  const path = join(folder, `${createHash('sha256').update(text).digest('hex')}.txt`);
  await writeFile(path, text);
  return await run([path]);
}

async function run(args: string[]): Promise<{ says: string; code: unknown }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
    return { says: stdout.trim(), code: 0 };
  } catch (error) {
    const { stderr, code } = error as { stderr: string; code: unknown };
    return { says: stderr.trim(), code };
  }
}

const headerLines = 6;

/** Changes the entries of a file and keeps its header. */
function tamper(text: string, change: (entries: string[]) => string[]): string {
  const lines = text.split('\n');
  const entries = lines.slice(headerLines, -1);
  return [...lines.slice(0, headerLines), ...change(entries), ''].join('\n');
}

/** Recomputes all hashes and the header, as an attacker with access to the database could. */
function rehash(text: string): string {
  const accountId = /^account (.*)$/m.exec(text)?.[1] ?? '';
  const sha256 = (words: string) => createHash('sha256').update(words).digest('hex');
  let head = sha256(accountId);
  const rehashed = tamper(text, (entries) =>
    entries.map((entry) => {
      const line = entry.slice(0, entry.lastIndexOf('|'));
      head = sha256(`${head}\n${line}`);
      return `${line}|${head}`;
    }),
  );
  const count = rehashed.split('\n').length - headerLines - 1;
  return rehashed
    .replace(/^entries .*$/m, `entries ${count}`)
    .replace(/^head .*$/m, `head ${head}`);
}

const withField = (entry: string, index: number, value: string) =>
  entry
    .split('|')
    .map((field, at) => (at === index ? value : field))
    .join('|');
const changeEntry = (seq: number, index: number, value: string) => (entries: string[]) =>
  entries.map((entry, at) => (at === seq - 1 ? withField(entry, index, value) : entry));

test('a downloaded points statement passes the offline verifier', async () => {
  expect(await verify(file)).toEqual({
    says: expect.stringMatching(
      /^The ledger of account [\da-f-]{36}, made 20\d\d-[^ ]*Z, is whole: 5 entries, 10 basic and 0 present points, head [\da-f]{64}\.$/,
    ),
    code: 0,
  });
});

test('a points statement contains its account, its length, its head hash and its entries', async () => {
  const wallet = await givenWallet(db);
  await wallet.topUp({ basic: 7n });
  const { head } = await walletOf(db, wallet.accountId);
  const { entries, lots } = await wallet.records();
  const [entry, lot] = [entries[0], lots[0]];
  expect((await ledgerFile(db, wallet.accountId)).split('\n')).toEqual([
    'pointgate ledger 1',
    `account ${wallet.accountId}`,
    expect.stringMatching(/^made 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    'entries 1',
    `head ${head}`,
    'seq|at|kind|origin|posting|basic|present|basic after|present after|lots|hash',
    `1|${entry?.at.toISOString()}|top_up|${entry?.origin_id}|top_up|7|0|7|0|${lot?.lot_id}:7|${head}`,
    '',
  ]);
});

test('an empty points statement and a points statement saved on Windows pass the offline verifier', async () => {
  const empty = await ledgerFile(db, await givenAccount(db));
  expect(await verify(empty)).toMatchObject({
    says: expect.stringContaining('0 entries'),
    code: 0,
  });
  expect(await verify(file.replaceAll('\n', '\r\n'))).toMatchObject({ code: 0 });
});

test('a points statement that is longer than one database read is complete, and a gap in its entries is an error', async () => {
  const wallet = await givenWallet(db);
  await wallet.topUp({ basic: 1n });
  // More rows than a single read returns; their contents do not matter here.
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into point_entries
      select *, ${hashOfEntry} from (
        select account_id, series as seq, origin_id, 'copy ' || series as posting, kind, basic_change,
               present_change, basic_after, present_after, at, draws, prev_hash
        from point_entries, generate_series(2, 2500) as series where account_id = ${wallet.accountId}
      ) as copies`);
    await tx.run(sql`update wallets set seq = 2500 where account_id = ${wallet.accountId}`);
  });
  const lines = (await ledgerFile(db, wallet.accountId)).split('\n').slice(headerLines, -1);
  expect(lines.map((line) => Number(line.split('|')[0]))).toEqual(
    Array.from({ length: 2500 }, (_, index) => index + 1),
  );
  await db.transaction((tx) =>
    tx.run(sql`update wallets set seq = 2501 where account_id = ${wallet.accountId}`),
  );
  await expect(ledgerFile(db, wallet.accountId)).rejects.toThrow('are missing');
});

const otherHead = 'f'.repeat(64);

test.each<[string, () => string, string]>([
  [
    'a changed amount',
    () => tamper(file, changeEntry(2, 5, '-29')),
    'Entry 2 is not what was written',
  ],
  [
    'a changed time',
    () => tamper(file, changeEntry(1, 1, '2020-01-01T00:00:00.000Z')),
    'Entry 1 is not',
  ],
  ['a changed lot', () => tamper(file, changeEntry(3, 9, '')), 'Entry 3 is not what was written'],
  [
    'a changed hash',
    () => tamper(file, changeEntry(5, 10, otherHead)),
    'Entry 5 is not what was written',
  ],
  [
    'a changed head hash',
    () => file.replace(/^head .*$/m, `head ${otherHead}`),
    'The head of the file is not',
  ],
  [
    'a changed account',
    () => file.replace(/^account .*$/m, /^account .*$/m.exec(foreignFile)?.[0] ?? ''),
    'Entry 1 is not what was written',
  ],
  [
    'an entry replaced by that of another account',
    () =>
      tamper(file, ([first = '', ...rest]) => [
        foreignFile.split('\n')[headerLines] ?? first,
        ...rest,
      ]),
    'Entry 1 is not what was written, or does not follow',
  ],
  [
    'two entries swapped',
    () => tamper(file, ([one = '', two = '', ...rest]) => [two, one, ...rest]),
    'Entry 1 is not what was written, or does not follow the one before it.',
  ],
  [
    'an entry removed',
    () => tamper(file, (entries) => entries.filter((_, index) => index !== 2)),
    'The file says it has 5 entries, but there are 4.',
  ],
  [
    'an entry removed and the count adjusted',
    () =>
      tamper(file, (entries) => entries.filter((_, index) => index !== 2)).replace(
        'entries 5',
        'entries 4',
      ),
    'Entry 3 is not what was written, or does not follow the one before it.',
  ],
  [
    'its last entry removed',
    () => tamper(file, (entries) => entries.slice(0, -1)).replace('entries 5', 'entries 4'),
    'The head of the file is not the hash of its last entry.',
  ],
  ['a truncated last line', () => file.slice(0, -20), 'This is not a whole ledger file'],
  [
    'a changed title',
    () => file.replace('ledger 1', 'ledger 2'),
    'This is not a whole ledger file',
  ],
  ['changed columns', () => file.replace('|at|', '|when|'), 'This is not a whole ledger file'],
  ['a changed account line', () => file.replace(/^account/m, 'player'), 'does not say its account'],
  ['a changed head line', () => file.replace(/^head/m, 'tail'), 'does not say its head'],
])('the offline verifier rejects a points statement with %s', async (_what, change, says) => {
  expect(change()).not.toBe(file);
  expect(await verify(change())).toEqual({ says: expect.stringContaining(says), code: 1 });
});

// An attacker with access to the database can recompute every hash. The numbers must still add up
// then, and the head differs from the one in the file that the player kept.
test.each<[string, () => string, string]>([
  [
    'a wrong basic change',
    () => tamper(file, changeEntry(2, 5, '-29')),
    'The numbers of entry 2 do not add up.',
  ],
  [
    'a wrong present change',
    () => tamper(file, changeEntry(2, 6, '-19')),
    'The numbers of entry 2 do not add up.',
  ],
  [
    'a wrong basic balance',
    () => tamper(file, changeEntry(5, 7, '11')),
    'The numbers of entry 5 do not',
  ],
  [
    'a wrong present balance',
    () => tamper(file, changeEntry(5, 8, '1')),
    'The numbers of entry 5 do not',
  ],
  [
    'a missing lot',
    () => tamper(file, changeEntry(3, 9, '')),
    'The numbers of entry 3 do not add up.',
  ],
  [
    'a wrong sequence number',
    () => tamper(file, changeEntry(3, 0, '4')),
    'The numbers of entry 3 do not add up.',
  ],
  ['an extra field', () => tamper(file, changeEntry(3, 9, 'a|b')), 'Entry 3 is not an entry.'],
])(
  'the offline verifier rejects a points statement with recomputed hashes and %s',
  async (_what, change, says) => {
    expect(await verify(rehash(change()))).toEqual({
      says: expect.stringContaining(says),
      code: 1,
    });
  },
);

test('the hash function of the points statement tests reproduces the hashes of an unchanged statement', async () => {
  expect(rehash(file)).toBe(file);
});

test('the offline verifier of points statements reports a missing argument, a missing file and a malformed file', async () => {
  expect(await run([])).toEqual({ says: expect.stringContaining('Say which file'), code: 1 });
  expect(await run([join(folder, 'none.txt')])).toMatchObject({ code: 1 });
  expect(await verify('hello')).toEqual({
    says: 'This is not a whole ledger file of version 1.',
    code: 1,
  });
});
