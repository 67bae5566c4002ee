import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { cloneDatabase } from '../../../test/database.ts';
import { type Outsider, startOutsider } from '../../../test/world.ts';
import { log } from '../../platform/log.ts';
import { type GameAddress, openGames, type Recharge } from './games.ts';

let outsider: Outsider;
let game: GameAddress;
beforeAll(async () => {
  log.level = 'silent';
  outsider = await startOutsider('game', { GAME_SECRETS: 'secret-of-today,secret-of-tomorrow' });
  game = { gameId: 'solmere', apiUrl: outsider.url };
});
beforeEach(() => outsider.tell('/__sandbox/reset', {}));
afterEach(() => vi.restoreAllMocks());
afterAll(() => outsider.stop());

const openWith = (...secrets: string[]) =>
  openGames({
    secretsOf: async (gameId) => (gameId === 'solmere' ? secrets : []),
    isSandbox: async () => true,
    isRehearsal: false,
  });
const games = openWith('secret-of-today');

const aveline = { gameAccountId: 'ga_aveline', serverId: 's12' };

const givenRecharge = (changes: Partial<Recharge> = {}): Recharge => ({
  paymentId: randomUUID(),
  ...aveline,
  roleId: 'r_aveline',
  items: [{ sku: 'lumen_shard', quantity: 330 }],
  ...changes,
});

const fault = (call: string, kind: string, more: object = {}) =>
  outsider.tell('/__sandbox/faults', { call, kind, ...more });

/** The game may have acted on any call that reached it. */
const unknown = (cause: string) => ({ result: 'unknown', cause, mayHaveActed: true });

const revocationOf = ({ paymentId }: Recharge) => ({ paymentId, reason: 'refund' });

async function grantsFor({ paymentId }: Recharge): Promise<unknown[]> {
  const answer = await outsider.ask(`/__sandbox/grants?paymentId=${paymentId}`);
  return z.object({ grants: z.array(z.unknown()) }).parse(answer).grants;
}

describe('game request signatures', () => {
  test('the game sandbox accepts a shop request signed with either secret of the game', async () => {
    for (const secret of ['secret-of-today', 'secret-of-tomorrow']) {
      expect(await openWith(secret).rolesOf(game, aveline)).toMatchObject({ result: 'ok' });
    }
  });

  test('the shop signs a request to a game with the first configured secret', async () => {
    const changed = openWith('secret-of-tomorrow', 'secret-nobody-knows');
    expect(await changed.rolesOf(game, aveline)).toMatchObject({ result: 'ok' });
    const wrong = openWith('secret-nobody-knows', 'secret-of-today');
    expect(await wrong.rolesOf(game, aveline)).toMatchObject({ cause: 'HTTP 401' });
  });

  test('a call to a game that has no configured secret is reported as unknown and certainly not received by the game', async () => {
    const other = { ...game, gameId: 'other' };
    expect(await games.rolesOf(other, aveline)).toEqual({
      result: 'unknown',
      cause: 'the game has no secret',
      mayHaveActed: false,
    });
  });
});

describe('role queries', () => {
  test('a query of the shop for the characters of a game account on one server returns the characters that the game lists', async () => {
    expect(await games.rolesOf(game, aveline)).toMatchObject({
      result: 'ok',
      roles: [{ roleId: 'r_aveline', name: 'Aveline' }, { name: 'Corvin' }],
    });
    expect(await games.rolesOf(game, { ...aveline, serverId: 's3' })).toEqual({
      result: 'ok',
      roles: [],
    });
  });
});

const refusals = [
  'role_not_found',
  'server_closed',
  'item_unavailable',
  'limit_reached',
  'region_not_allowed',
] as const;

describe('recharge validation', () => {
  test('the game accepts an order for an existing character when the shop asks it to validate the order', async () => {
    expect(await games.validate(game, givenRecharge())).toEqual({ result: 'ok' });
  });

  test.each(refusals)(
    "an order that the game refuses to validate is reported with the game's reason %s",
    async (reason) => {
      await fault('recharge.validate', 'refuse', { reason });
      expect(await games.validate(game, givenRecharge())).toEqual({ result: 'refused', reason });
    },
  );
});

describe('recharge delivery', () => {
  test('a delivery call that the shop sends twice to a game is granted once and answered with delivered both times', async () => {
    const recharge = givenRecharge();
    expect(await games.deliver(game, recharge)).toEqual({ result: 'delivered' });
    expect(await games.deliver(game, recharge)).toEqual({ result: 'delivered' });
    expect(await grantsFor(recharge)).toMatchObject([
      { sku: 'lumen_shard', quantity: 330, roleId: 'r_aveline', serverId: 's12' },
    ]);
  });

  test.each(refusals)(
    'a delivery that the game declines has the reason %s and grants nothing',
    async (reason) => {
      await fault('recharge.deliver', 'decline', { reason });
      const recharge = givenRecharge();
      expect(await games.deliver(game, recharge)).toEqual({ result: 'declined', reason });
      expect(await grantsFor(recharge)).toEqual([]);
    },
  );

  test.each([
    ['a 500 before the grant', 'http500_before', 'HTTP 500', 0],
    ['a 500 after the grant', 'http500_after_commit', 'HTTP 500', 1],
    ['a connection cut after the grant', 'cut_after_commit', 'no answer', 1],
  ])(
    'a delivery that the game answers with %s is reported as unknown, neither delivered nor declined',
    async (_what, kind, cause, given) => {
      await fault('recharge.deliver', kind);
      const recharge = givenRecharge();
      expect(await games.deliver(game, recharge)).toEqual(unknown(cause));
      expect(await grantsFor(recharge)).toHaveLength(given);
    },
  );

  test('the validation call of the shop to a game says whether the shop is a sandbox', async () => {
    const recharge = givenRecharge();
    const secretsOf = async () => ['secret-of-today'];
    const real = openGames({ secretsOf, isSandbox: async () => false, isRehearsal: false });
    await real.validate(game, recharge);
    await games.validate(game, recharge);
    const { calls } = z
      .object({ calls: z.array(z.object({ body: z.object({ sandbox: z.boolean() }) })) })
      .parse(await outsider.ask('/__sandbox/records?limit=2'));
    expect(calls.map(({ body }) => body.sandbox)).toEqual([true, false]);
  });

  test('the delivery and revocation calls of the shop to a game say whether the payment was made in a sandbox', async () => {
    const recharge = givenRecharge();
    await games.deliver(game, recharge, { isSandbox: false });
    await games.revoke(
      game,
      { paymentId: recharge.paymentId, reason: 'refund' },
      { isSandbox: false },
    );
    const { calls } = z
      .object({ calls: z.array(z.object({ body: z.object({ sandbox: z.boolean() }) })) })
      .parse(await outsider.ask('/__sandbox/records?limit=2'));
    expect(calls.map(({ body }) => body.sandbox)).toEqual([false, false]);
  });

  test('every call of a rehearsal tells the game that it is a sandbox, whatever the order says', async () => {
    const recharge = givenRecharge();
    const real = { isSandbox: false };
    const rehearsal = openGames({
      secretsOf: async () => ['secret-of-today'],
      isSandbox: async () => false,
      isRehearsal: true,
    });
    await rehearsal.rolesOf(game, aveline);
    await rehearsal.validate(game, recharge, real);
    await rehearsal.deliver(game, recharge, real);
    await rehearsal.revoke(game, revocationOf(recharge), real);
    const { calls } = z
      .object({ calls: z.array(z.object({ body: z.object({ sandbox: z.boolean() }) })) })
      .parse(await outsider.ask('/__sandbox/records?limit=4'));
    expect(calls.map(({ body }) => body.sandbox)).toEqual([true, true, true, true]);
  });
});

describe('grant revocation', () => {
  test('a revocation call takes the goods of an order back in the game once, and a second call returns already_revoked', async () => {
    const recharge = givenRecharge();
    await games.deliver(game, recharge);
    const revocation = revocationOf(recharge);
    expect(await games.revoke(game, revocation)).toEqual({ result: 'revoked' });
    expect(await games.revoke(game, revocation)).toEqual({ result: 'already_revoked' });
    expect(await grantsFor(recharge)).toMatchObject([{ revoked: true }]);
  });

  test('a revocation call for goods never granted returns not_found, and the game then declines their delivery', async () => {
    const recharge = givenRecharge();
    expect(await games.revoke(game, revocationOf(recharge))).toEqual({ result: 'not_found' });
    expect(await games.deliver(game, recharge)).toMatchObject({ result: 'declined' });
    expect(await grantsFor(recharge)).toEqual([]);
  });

  test.each([
    ['http500_before', 'HTTP 500'],
    ['http500_after_commit', 'HTTP 500'],
    ['cut_after_commit', 'no answer'],
  ])(
    'a revocation call whose answer from the game is lost (%s) is reported as unknown',
    async (kind, cause) => {
      const recharge = givenRecharge();
      await games.deliver(game, recharge);
      await fault('recharge.revoke', kind);
      expect(await games.revoke(game, revocationOf(recharge))).toEqual(unknown(cause));
    },
  );
});

describe('unreachable games', () => {
  const nobody = { result: 'unknown', cause: 'no answer', mayHaveActed: false };

  test('a delivery whose connection the game refuses is reported as certainly not received', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // as: it listens on a port
    server.close();
    await once(server, 'close');

    const gone = { ...game, apiUrl: `http://127.0.0.1:${port}` };
    expect(await games.deliver(gone, givenRecharge())).toEqual(nobody);
    // A host name with an IPv6 and an IPv4 address, both of which refuse the connection.
    const byName = { ...game, apiUrl: `http://localhost:${port}` };
    expect(await games.deliver(byName, givenRecharge())).toEqual(nobody);
  });

  test('a delivery to a game host name that does not resolve is reported as certainly not received', async () => {
    const lost = { ...game, apiUrl: 'http://game.invalid' };
    expect(await games.deliver(lost, givenRecharge())).toEqual(nobody);
  });

  test('a delivery whose connection the game closes during the request is reported as possibly received', async () => {
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // as: it listens on a port
    const rude = { ...game, apiUrl: `http://127.0.0.1:${port}` };
    expect(await games.deliver(rude, givenRecharge())).toEqual(unknown('no answer'));
    server.close();
  });
});

describe('game call timeouts', () => {
  test.each([
    ['roles.query', 5_000, () => games.rolesOf(game, aveline)],
    ['recharge.validate', 5_000, () => games.validate(game, givenRecharge())],
    ['recharge.deliver', 10_000, () => games.deliver(game, givenRecharge())],
    ['recharge.revoke', 10_000, () => games.revoke(game, revocationOf(givenRecharge()))],
  ])(
    'the game call %s times out after %d ms and is reported as unknown',
    async (call, limitMs, ask) => {
      const real = AbortSignal.timeout.bind(AbortSignal);
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(50));
      await fault(call, 'hang', { hangMs: 60_000 });

      expect(await ask()).toEqual(unknown('no answer'));

      expect(timeout.mock.calls).toEqual([[limitMs]]);
    },
  );
});

describe('replies outside the game contract', () => {
  let answer: { status: number; body: string };
  let server: Server;
  let strange: GameAddress;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // as: it listens on a port
    strange = { gameId: 'solmere', apiUrl: `http://127.0.0.1:${port}` };
  });
  afterAll(() => {
    server.close();
  });

  const outside = unknown('a reply outside the contract');

  test.each([
    ['an unknown result', '{"result":"done"}'],
    ['a decline without a reason', '{"result":"declined"}'],
    ['a decline with an unknown reason', '{"result":"declined","reason":"because"}'],
    ['a result in other letter case', '{"result":"Delivered"}'],
    ['an array', '[]'],
    ['an empty body', ''],
    ['HTML instead of JSON', '<html>delivered</html>'],
  ])(
    'a delivery call that the game answers with %s is reported as neither delivered nor declined',
    async (_what, body) => {
      answer = { status: 200, body };
      expect(await games.deliver(strange, givenRecharge())).toEqual(outside);
    },
  );

  test('a delivery that the game answers with the result ok does not count as delivered', async () => {
    answer = { status: 200, body: '{"result":"ok"}' };
    expect(await games.validate(strange, givenRecharge())).toEqual({ result: 'ok' });
    expect(await games.deliver(strange, givenRecharge())).toEqual(outside);
  });

  test('a delivery that the game answers with another HTTP status than 200 is unknown, whatever its body', async () => {
    for (const status of [201, 202, 400, 404, 409, 503]) {
      answer = { status, body: '{"result":"delivered"}' };
      expect(await games.deliver(strange, givenRecharge())).toEqual(unknown(`HTTP ${status}`));
    }
  });

  test('a list of characters that a game sends with a name PostgreSQL cannot store is reported as unknown', async () => {
    answer = { status: 200, body: '{"roles":[{"roleId":"r","name":"\\u0000","level":1}]}' };
    expect(await games.rolesOf(strange, aveline)).toEqual(outside);
  });

  test('a list of characters that a game sends malformed is reported as unknown', async () => {
    for (const roles of ['{}', '[{"roleId":"","name":"x","level":1}]', '[{"roleId":"r"}]']) {
      answer = { status: 200, body: `{"roles":${roles}}` };
      expect(await games.rolesOf(strange, aveline)).toEqual(outside);
    }
  });
});

test('a game call inside a database transaction throws and is not sent', async () => {
  const database = await cloneDatabase();
  const db = database.open(1);
  const recharge = givenRecharge();
  await expect(db.transaction(() => games.deliver(game, recharge))).rejects.toThrow(
    'inside a transaction',
  );
  expect(await grantsFor(recharge)).toEqual([]);
  await db.close();
  await database.drop();
});
