import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditedIn, sorted } from '../../test/audited.ts';
import { type GameProgram, givenRecharge, startGame } from '../../test/game.ts';

let game: GameProgram;
beforeAll(async () => {
  game = await startGame();
});
afterAll(async () => await game.stop());

type Recharge = ReturnType<typeof givenRecharge>;

test('the game sandbox lists grants for the auditor program with their game character, quantity and number of deliveries', async () => {
  const once = await givenGrants({
    items: [
      { sku: 'gems_60', quantity: 2 },
      { sku: 'skin', quantity: 1 },
      { sku: 'gems_60', quantity: 3 },
    ],
  });
  const elsewhere = await givenGrants({ gameId: 'other' });
  await game.tell('/__sandbox/dedupe', { enabled: false });
  const twice = await givenGrants();
  await game.call('recharge.deliver', twice);
  await revoke(elsewhere);

  expect(await auditedIn(game, 'grants')).toEqual(
    sorted([
      lineOf(once, 'gems_60', 5, 1),
      lineOf(once, 'skin', 1, 1),
      // A revocation does not remove the grant.
      lineOf(elsewhere, 'gems_60', 1, 1),
      lineOf(twice, 'gems_60', 2, 2),
    ]),
  );
  expect(await game.get(`/__sandbox/grants?${onlyOf(twice)}`)).toMatchObject({
    grants: [{ paymentId: twice.paymentId, sku: 'gems_60', quantity: 2, times: 2, revoked: false }],
    next: null,
  });
});

test('the game sandbox lists for the auditor program how it last answered the revocation of each payment', async () => {
  const other = await startGame();
  try {
    const [given, none] = [givenRecharge(), givenRecharge()];
    await other.call('recharge.deliver', given);
    for (const { paymentId } of [given, given, none]) {
      await other.call('recharge.revoke', { sandbox: true, paymentId, reason: 'refunded' });
    }

    expect(await auditedIn(other, 'revocations')).toEqual(
      sorted([`${given.paymentId}|revoked`, `${none.paymentId}|not_found`]),
    );
    expect(await other.get(`/__sandbox/revocations?${onlyOf(none)}`)).toMatchObject({
      revocations: [{ paymentId: none.paymentId, result: 'not_found' }],
    });
  } finally {
    await other.stop();
  }
});

test.each(['calls', 'grants'])(
  'the game sandbox lists all %s for the auditor program page by page, each once',
  async (kind) => {
    for (const _more of [1, 2, 3]) await givenGrants();

    const seen: number[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page = await recordsAfter(kind, after);
      expect(page.records.length).toBeLessThanOrEqual(2);
      seen.push(...page.records.map(({ seq }) => seq));
      after = page.next;
    }

    const { counts } = await countsOf();
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).toBe(counts[kind]);
  },
);

async function givenGrants(changes: object = {}): Promise<Recharge> {
  const body = givenRecharge(changes);
  await game.call('recharge.deliver', body);
  return body;
}

async function revoke({ paymentId }: Recharge): Promise<void> {
  await game.call('recharge.revoke', { sandbox: true, paymentId, reason: 'refunded' });
}

function lineOf(body: Recharge, sku: string, quantity: number, times: number): string {
  const { paymentId, gameId, serverId, roleId, gameAccountId } = body;
  return `${paymentId}|${gameId}|${serverId}|${roleId}|${gameAccountId}|${sku}|${quantity}|${times}`;
}

function onlyOf({ paymentId }: Recharge): string {
  return `from=${paymentId}&until=${paymentId}0`;
}

// The sandbox is part of this project, and the tests check every field that they use.
async function recordsAfter(kind: string, after: number) {
  const answer = await game.get(`/__sandbox/records/${kind}?limit=2&after=${after}`);
  return answer as { records: { seq: number }[]; next: number | null };
}

async function countsOf() {
  return (await game.get('/__sandbox/records?limit=1')) as { counts: Record<string, number> };
}
