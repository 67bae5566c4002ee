import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GameProgram, givenRecharge, startGame } from '../../test/game.ts';

let game: GameProgram;
beforeAll(async () => {
  game = await startGame();
});
beforeEach(async () => {
  await game.tell('/__sandbox/reset');
});
afterAll(async () => await game.stop());

const delivered = { status: 200, body: { result: 'delivered' } };
const alreadyDelivered = { status: 200, body: { result: 'already_delivered' } };

test.each([
  ['ga_aveline', 's12', ['Aveline', 'Corvin']],
  ['ga_aveline', 's7', []],
  ['ga_kaito', 's12', ['Kaito']],
  ['ga_kaito', 's7', ['Kaito Prime']],
  ['ga_aveline', 's3', []],
  ['lc_aveline', 'lc8', ['Lady Aveline', 'Ink Heron']],
  ['bw_kaito', 'bw9', ['One-Eye Kaito']],
  ['bw_kaito', 'bw6', []],
  ['ga_anyone', 's3', []],
])(
  'the game sandbox answers a query for the characters of the game account %s on server %s with %j',
  async (gameAccountId, serverId, names) => {
    expect(await rolesOf({ gameAccountId, serverId })).toMatchObject(
      names.map((name) => ({ name })),
    );
  },
);

test('the game sandbox generates one character for an unknown game account and keeps it', async () => {
  const place = { gameAccountId: 'ga_somebody', serverId: 's1' };

  const roles = await rolesOf(place);

  expect(roles).toEqual([
    {
      roleId: expect.stringMatching(/^r_[0-9a-f]{12}$/),
      name: expect.stringMatching(/^Traveller \d{4}$/),
      level: expect.any(Number),
    },
  ]);
  expect(await rolesOf(place)).toEqual(roles);
});

test('the control API of the game sandbox sets and removes game characters', async () => {
  const place = { gameAccountId: 'ga_new', serverId: 's12' };
  const roles = [{ roleId: 'r_new', name: 'Newcomer', level: 1 }];
  await game.tell('/__sandbox/roles', { ...place, roles });
  expect(await rolesOf(place)).toEqual(roles);

  await game.tell('/__sandbox/roles', { ...place, roles: [] });
  expect(await rolesOf(place)).toEqual([]);
});

test('the game sandbox accepts an existing game character in recharge.validate and refuses an unknown one', async () => {
  expect(await game.call('recharge.validate', givenRecharge())).toEqual({
    status: 200,
    body: { result: 'ok' },
  });
  const other = givenRecharge({ roleId: 'r_nobody' });
  expect(await game.call('recharge.validate', other)).toEqual({
    status: 200,
    body: { result: 'refused', reason: 'role_not_found' },
  });
  expect(await game.grants(other.paymentId)).toEqual([]);
});

test.each([
  ['an unknown field', { ...givenRecharge(), price: 5 }, 'body.price is not known here'],
  ['a missing field', { ...givenRecharge(), roleId: undefined }, 'body.roleId must be a string'],
  [
    'a fractional quantity',
    givenRecharge({ items: [{ sku: 'gems_60', quantity: 0.5 }] }),
    'body.items[0].quantity must be a whole number',
  ],
  ['no items', givenRecharge({ items: [] }), 'body.items must have 1 to 100'],
  ['a body that is not JSON', 'gems please', 'body is not JSON'],
])(
  'the game sandbox refuses recharge.deliver with %s as malformed',
  async (_what, body, detail) => {
    expect(await game.call('recharge.deliver', body)).toEqual({
      status: 400,
      body: { error: 'bad_request', detail },
    });
  },
);

test('ten concurrent recharge.deliver calls to the game sandbox give the items once', async () => {
  const body = givenRecharge({
    items: [
      { sku: 'gems_60', quantity: 2 },
      { sku: 'skin', quantity: 1 },
    ],
  });

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => game.call('recharge.deliver', body)),
  );

  const results = answers.map((answer) => JSON.stringify(answer));
  expect(results.filter((result) => result === JSON.stringify(delivered))).toHaveLength(1);
  expect(results.filter((result) => result === JSON.stringify(alreadyDelivered))).toHaveLength(9);
  expect(await game.grants(body.paymentId)).toMatchObject([
    { sku: 'gems_60', quantity: 2, roleId: 'r_aveline', serverId: 's12' },
    { sku: 'skin', quantity: 1 },
  ]);
});

test('the game sandbox answers 409 to recharge.deliver with other items for a delivered payment and gives no more', async () => {
  const body = givenRecharge();
  await game.call('recharge.deliver', body);

  const other = { ...body, items: [{ sku: 'gems_60', quantity: 100 }] };

  expect(await game.call('recharge.deliver', other)).toEqual({
    status: 409,
    body: { error: 'conflict' },
  });
  expect(await game.grants(body.paymentId)).toHaveLength(1);
});

test('the game sandbox treats a repeated recharge.deliver with reordered JSON fields as the same delivery', async () => {
  const body = givenRecharge();
  await game.call('recharge.deliver', body);

  const turned = Object.fromEntries(Object.entries(body).reverse());

  expect(await game.call('recharge.deliver', turned)).toEqual(alreadyDelivered);
});

test('a delivery that the game sandbox declined for an unknown game character stays declined when the character appears later', async () => {
  const body = givenRecharge({ serverId: 's3' });
  const declined = { status: 200, body: { result: 'declined', reason: 'role_not_found' } };
  expect(await game.call('recharge.deliver', body)).toEqual(declined);

  await game.tell('/__sandbox/roles', {
    gameAccountId: body.gameAccountId,
    serverId: 's3',
    roles: [{ roleId: body.roleId, name: 'Aveline', level: 1 }],
  });

  expect(await game.call('recharge.deliver', body)).toEqual(declined);
  expect(await game.grants(body.paymentId)).toEqual([]);
});

test('the game sandbox, told not to recognise repeated calls, gives the items again for a repeated recharge.deliver', async () => {
  await game.tell('/__sandbox/dedupe', { enabled: false });
  const body = givenRecharge();

  await game.call('recharge.deliver', body);
  await game.call('recharge.deliver', body);

  expect(await game.grants(body.paymentId)).toHaveLength(2);
});

test('the game sandbox gives nothing when it fails with 500 before the commit, until a later recharge.deliver', async () => {
  const body = givenRecharge();
  await game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'http500_before',
    times: 2,
  });

  expect((await game.call('recharge.deliver', body)).status).toBe(500);
  expect((await game.call('recharge.deliver', body)).status).toBe(500);
  expect(await game.grants(body.paymentId)).toEqual([]);
  expect(await game.call('recharge.deliver', body)).toEqual(delivered);
});

test('the game sandbox gives items once when recharge.deliver fails with 500 after the commit and is retried', async () => {
  const body = givenRecharge();
  await game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'http500_after_commit' });

  expect((await game.call('recharge.deliver', body)).status).toBe(500);
  expect(await game.call('recharge.deliver', body)).toEqual(alreadyDelivered);
  expect(await game.grants(body.paymentId)).toHaveLength(1);
});

test('the game sandbox answers a retry of recharge.deliver that was cut off after the commit as delivered', async () => {
  const body = givenRecharge();
  await game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'cut_after_commit' });

  await expect(game.call('recharge.deliver', body)).rejects.toThrow();
  expect(await game.call('recharge.deliver', body)).toEqual(alreadyDelivered);
  expect((await game.calls()).slice(0, 2)).toMatchObject([
    { paymentId: body.paymentId, status: 200 },
    { paymentId: body.paymentId, status: null },
  ]);
});

test('a hanging recharge.deliver call gives nothing in the game sandbox if another call has delivered the payment', async () => {
  const body = givenRecharge();
  await game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'hang' });
  const first = game.call('recharge.deliver', body);
  await expect.poll(async () => await faultsWaiting()).toBe(0);

  expect(await game.call('recharge.deliver', body)).toEqual(delivered);
  await game.tell('/__sandbox/release', {});
  expect(await first).toEqual(alreadyDelivered);
  expect(await game.grants(body.paymentId)).toHaveLength(1);
});

test('a fault planned for one server of the game sandbox does not affect other servers', async () => {
  await game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'decline',
    reason: 'limit_reached',
    serverId: 's7',
  });
  const kaito = { gameAccountId: 'ga_kaito', serverId: 's7', roleId: 'r_kaito7' };

  expect(await game.call('recharge.deliver', givenRecharge())).toEqual(delivered);
  expect(await game.call('recharge.deliver', givenRecharge(kaito))).toEqual({
    status: 200,
    body: { result: 'declined', reason: 'limit_reached' },
  });
});

test('a fault planned for one game of the game sandbox does not affect its other games', async () => {
  await game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'http500_before',
    gameId: 'other',
    serverId: 's12',
    times: 5,
  });

  expect(await game.call('recharge.deliver', givenRecharge())).toEqual(delivered);
  const elsewhere = givenRecharge({ gameId: 'other' });
  expect((await game.call('recharge.deliver', elsewhere)).status).toBe(500);
});

test('a game account of the game sandbox can have different characters in different games', async () => {
  const place = { gameAccountId: 'ga_both', serverId: 's12' };
  const roles = [{ roleId: 'r_only_here', name: 'Only here', level: 1 }];
  await game.tell('/__sandbox/roles', { ...place, gameId: 'other', roles });

  const recharge = givenRecharge({ ...place, roleId: 'r_only_here' });

  expect(await game.call('recharge.deliver', { ...recharge, gameId: 'other' })).toEqual(delivered);
  expect(await game.call('recharge.validate', recharge)).toEqual({
    status: 200,
    body: { result: 'refused', reason: 'role_not_found' },
  });
});

test('the game sandbox answers recharge.validate with the result "refused" when its control API is told to', async () => {
  await game.tell('/__sandbox/faults', { call: 'recharge.validate', kind: 'refuse' });

  expect(await game.call('recharge.validate', givenRecharge())).toEqual({
    status: 200,
    body: { result: 'refused', reason: 'server_closed' },
  });
});

async function rolesOf(place: { gameAccountId: string; serverId: string }): Promise<unknown> {
  const { body } = await game.call('roles.query', { sandbox: true, gameId: 'demo', ...place });
  return typeof body === 'object' && body !== null && 'roles' in body ? body.roles : undefined;
}

async function faultsWaiting(): Promise<unknown> {
  const page = await (await fetch(`${game.url}/__sandbox`)).text();
  return Number(/Faults waiting<\/dt><dd>(\d+)/.exec(page)?.[1]);
}
