import type { FastifyInstance } from 'fastify';
import { onlyOfPayments, pageRequest } from '../platform/pages.ts';
import { controlBody, explainMalformedCalls, queryText } from '../platform/requests.ts';
import { anything, flag, listOf, name, object, oneOf, optional, whole } from '../platform/shape.ts';
import { faultBody } from './calls.ts';
import type { Game } from './game.ts';
import { overview } from './overview.ts';
import {
  allRecords,
  givenOf,
  grantsOf,
  newestGrants,
  recordKinds,
  recordPage,
  revocationsOf,
} from './records.ts';
import { role } from './role.ts';
import { setRoles } from './roles.ts';
import { createTokenKeys, publicKeysOf, signToken, tokenAlgs } from './tokens.ts';

const switchBody = object({ enabled: flag });
const kindParams = object({ kind: oneOf(recordKinds) });
const rolesBody = object({
  gameId: optional(name),
  gameAccountId: name,
  serverId: name,
  roles: listOf(role),
});
const tokenBody = object({
  gameId: name,
  gameAccountId: name,
  alg: optional(oneOf(tokenAlgs)),
  seconds: optional(whole),
  // A claim of the token, which may be of any kind.
  name: anything,
});

/** The control API, with which tests and people read the records and plan faults. */
export function registerControlRoutes(app: FastifyInstance, game: Game): void {
  explainMalformedCalls(app);

  app.get('/__sandbox', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(overview(game)),
  );
  app.get('/__sandbox/health', () => ({ ok: true, service: 'game' }));
  app.get('/__sandbox/records', (request) =>
    allRecords(game, limitOf(queryText(request, 'limit'))),
  );
  registerAuditRoutes(app, game);

  app.get('/__sandbox/faults', () => ({ faults: game.faults.list() }));
  app.post('/__sandbox/faults', (request) => {
    const fault = controlBody(request, faultBody);
    game.faults.add({ ...fault, times: fault.times ?? 1 });
    return { faults: game.faults.list() };
  });
  app.post('/__sandbox/release', () => {
    game.hanging.letGo();
    return { ok: true };
  });
  app.post('/__sandbox/dedupe', (request) => {
    game.isDeduplicating = controlBody(request, switchBody).enabled;
    return { enabled: game.isDeduplicating };
  });
  app.post('/__sandbox/tombstones', (request) => {
    game.hasTombstones = controlBody(request, switchBody).enabled;
    return { enabled: game.hasTombstones };
  });
  app.post('/__sandbox/roles', (request) => {
    const { roles, ...place } = controlBody(request, rolesBody);
    setRoles(game, place, roles);
    return { roles };
  });
  app.get('/.well-known/jwks.json', () => publicKeysOf(game.tokenKeys));
  app.post('/__sandbox/tokens', (request) => {
    const { alg = 'EdDSA', seconds = 60, ...player } = controlBody(request, tokenBody);
    return { token: signToken(game.tokenKeys, { ...player, alg, seconds }) };
  });
  app.post('/__sandbox/tokens/rotate', () => {
    game.tokenKeys = createTokenKeys();
    return publicKeysOf(game.tokenKeys);
  });
  app.post('/__sandbox/reset', () => {
    game.faults.clear();
    game.isDeduplicating = true;
    game.hasTombstones = true;
    return { ok: true };
  });
}

function registerAuditRoutes(app: FastifyInstance, game: Game): void {
  app.get('/__sandbox/records/:kind', (request) => {
    const { kind } = kindParams(request.params, 'params');
    return recordPage(game, { kind, page: pageRequest(request) });
  });
  app.get('/__sandbox/grants', (request) => {
    const page = pageRequest(request);
    if (queryText(request, 'from') !== undefined) {
      return givenOf(game, { only: onlyOfPayments(request), page });
    }
    const paymentId = queryText(request, 'paymentId');
    return {
      grants: paymentId === undefined ? newestGrants(game, page.limit) : grantsOf(game, paymentId),
    };
  });
  app.get('/__sandbox/revocations', (request) =>
    revocationsOf(game, { only: onlyOfPayments(request), page: pageRequest(request) }),
  );
}

function limitOf(sent: string | undefined): number {
  return Math.min(Math.max(Math.trunc(Number(sent ?? 1000)) || 1, 1), 100_000);
}
