import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import { operate as operateShop } from '../../../test/operate.ts';
import { operateByProgram } from '../../../test/processes.ts';
import { inHours, ownLimits, redeem, redeemed, redeemSizes } from '../../../test/redeem.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { newCodes } from '../../platform/typed-codes.ts';

// For a run with a million codes: REDEEM_CODES=1000000 vitest run --project db <this file>
const { codes: codesMade } = redeemSizes;

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...ownLimits });
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const operate = (
  args: readonly string[],
  input: unknown = '',
  environment: Record<string, string | undefined> = {},
) => operateShop(shop, args, { input, environment: { LOG_LEVEL: 'silent', ...environment } });
const byProgram = (args: readonly string[], input: unknown) =>
  operateByProgram(shop, args, { input, environment: { LOG_LEVEL: 'silent' } });

const by = ['--by', 'ines'];
const terms = (name: string, changes: object = {}) => ({
  name,
  reward: { kind: 'points', points: '100', days: 30 },
  codesPerAccount: 10,
  startsAt: inHours(-1),
  endsAt: inHours(24),
  ...changes,
});

const countOf = async (name: string) => {
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int from redeem_codes join redeem_batches on redeem_batches.id = batch_id
      where name = ${name}`,
  );
  return count;
};

const linesOf = (csv: string) => csv.trimEnd().split('\n');

async function fileOf(lines: readonly string[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'pointgate-codes-')), 'codes.txt');
  await writeFile(file, lines.join('\n'));
  return file;
}

test(`an operator command generates and prints a batch of ${codesMade} redeem codes once, or imports one from a file`, async () => {
  const begun = performance.now();
  const made = await byProgram(['make-codes', ...by], terms('made', { codes: codesMade }));
  const madeMs = performance.now() - begun;
  expect(made).toMatchObject({ status: 0, complaint: '' });
  const [header, ...codes] = linesOf(made.out);
  expect(header).toBe('code');
  expect(new Set(codes).size).toBe(codesMade);
  expect(await countOf('made')).toBe(codesMade);

  const file = await fileOf(newCodes(codesMade));
  const importBegun = performance.now();
  const imported = await byProgram(['import-codes', ...by, '--file', file], terms('imported'));
  const importedMs = performance.now() - importBegun;
  expect(imported).toMatchObject({ status: 0, complaint: '' });
  expect(JSON.parse(imported.out)).toEqual({ batch: 'imported', codes: codesMade });
  expect(await countOf('imported')).toBe(codesMade);

  if (redeemSizes.isByHand) {
    process.stdout.write(`made ${madeMs} ms, imported ${importedMs} ms\n`);
    expect(madeMs).toBeLessThan(60_000);
    expect(importedMs).toBeLessThan(60_000);
  }
  for (const code of [codes[0], codes.at(-1)]) await redeemed(shop, buyer, code ?? '');

  const listed = await operate(['list-codes']);
  expect(listed.out).not.toContain(codes[0]);
  expect(JSON.parse(listed.out)).toMatchObject([
    { name: 'imported', codes: codesMade, uses: 0 },
    { name: 'made', codes: codesMade, uses: 2, codesUsed: 2, madeBy: 'ines', stoppedAt: null },
  ]);
}, 300_000);

test('a stopped redeem code batch refuses new redemptions, keeps earlier ones and ignores a second stop', async () => {
  const { out } = await operate(['make-codes', ...by], terms('to-stop', { codes: 2 }));
  const [, one = '', two = ''] = linesOf(out);
  await redeemed(shop, buyer, one);
  expect(JSON.parse((await operate(['stop-codes', 'to-stop', ...by])).out)).toEqual({
    stopped: 'to-stop',
  });
  expect((await redeem(shop, buyer, two)).code).toBe('RedeemCodeExpired');
  expect((await redeemed(shop, buyer, one)).reward.kind).toBe('points');
  await operate(['stop-codes', 'to-stop', '--by', 'somebody else']);
  const listed = z
    .array(z.looseObject({ name: z.string() }))
    .parse(JSON.parse((await operate(['list-codes'])).out));
  expect(listed.find(({ name }) => name === 'to-stop')).toMatchObject({ stoppedBy: 'ines' });
  expect(await operate(['stop-codes', 'nothing', ...by])).toMatchObject({
    status: 1,
    complaint: 'there is no batch nothing\n',
  });
});

test('a redeem code file with invalid lines is refused as a whole, with the line numbers', async () => {
  const [good = '', other = ''] = newCodes(2);
  await operate(['import-codes', ...by, '--file', await fileOf([good])], terms('good'));
  const take = async (name: string, lines: readonly string[]) =>
    await operate(['import-codes', ...by, '--file', await fileOf(lines)], terms(name));

  expect(await take('short', [other, 'ABCD-EFGH', '', other])).toEqual({
    status: 1,
    out: '',
    complaint:
      'line 2 can be guessed: less than 64 bits are its own\nline 3 is empty\nline 4 is the code of line 1\n',
  });
  expect(await take('known', [other, good.toLowerCase()])).toMatchObject({
    status: 1,
    complaint: 'line 2 is a code of another batch\n',
  });
  expect(await take('good', [other])).toMatchObject({
    status: 1,
    complaint: 'there is a batch good already\n',
  });
  expect(await operate(['make-codes', ...by], terms('good', { codes: 5 }))).toMatchObject({
    status: 1,
    out: '',
    complaint: 'there is a batch good already\n',
  });
  expect([await countOf('short'), await countOf('known'), await countOf('good')]).toEqual([
    0, 0, 1,
  ]);
  expect((await redeem(shop, buyer, other)).code).toBe('RedeemCodeNotFound');
});

test("an operator's redeem code command that fails explains why and prints no codes", async () => {
  const runs = await Promise.all([
    operate(['make-codes', ...by], terms('wrong', { codes: 1_000_001, reward: {} })),
    operate(['make-codes'], terms('nobody', { codes: 1 })),
    operate(['make-codes', ...by], terms('nowhere', { codes: 1, siteId: 'nowhere' })),
    operate(['make-codes', ...by], terms('keyless', { codes: 1 }), { REDEEM_CODE_KEY: undefined }),
    operate(['import-codes', ...by, '--file', '/nothing'], terms('fileless')),
    operate(['import-codes', ...by], terms('fileless')),
  ]);
  expect(runs.map(({ status, out, complaint }) => [status, out, complaint])).toEqual([
    [1, '', expect.stringMatching(/not usable:\n {2}reward\.kind: .*\n {2}codes: .*\n$/)],
    [1, '', '--by is missing\n'],
    [1, '', 'there is no site nowhere\n'],
    [1, '', 'REDEEM_CODE_KEY is not set\n'],
    [1, '', '/nothing cannot be read\n'],
    [1, '', '--file is missing\n'],
  ]);
});
