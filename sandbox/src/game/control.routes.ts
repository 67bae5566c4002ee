import type { FastifyInstance } from 'fastify';
import { controlBody, explainMalformedCalls, queryText } from '../platform/requests.ts';
import { flag, listOf, name, object } from '../platform/shape.ts';
import { faultBody } from './calls.ts';
import type { Game } from './game.ts';
import { overview } from './overview.ts';
import { allRecords, grantsOf, newestGrants } from './records.ts';
import { role, setRoles } from './roles.ts';

const dedupeBody = object({ enabled: flag });
const rolesBody = object({ gameAccountId: name, serverId: name, roles: listOf(role) });

/** What tests and people use to look behind the game and to make it misbehave. */
export function registerControlRoutes(app: FastifyInstance, game: Game): void {
  explainMalformedCalls(app);

  app.get('/__sandbox', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(overview(game)),
  );
  app.get('/__sandbox/health', () => ({ ok: true, service: 'game' }));
  app.get('/__sandbox/records', (request) =>
    allRecords(game, limitOf(queryText(request, 'limit'))),
  );
  app.get('/__sandbox/grants', (request) => {
    const paymentId = queryText(request, 'paymentId');
    const limit = limitOf(queryText(request, 'limit'));
    return {
      grants: paymentId === undefined ? newestGrants(game, limit) : grantsOf(game, paymentId),
    };
  });

  app.post('/__sandbox/faults', (request) => {
    const fault = controlBody(request, faultBody);
    game.faults.add({ ...fault, times: fault.times ?? 1 });
    return { faults: game.faults.list() };
  });
  app.post('/__sandbox/dedupe', (request) => {
    game.isDeduplicating = controlBody(request, dedupeBody).enabled;
    return { enabled: game.isDeduplicating };
  });
  app.post('/__sandbox/roles', (request) => {
    const { roles, ...place } = controlBody(request, rolesBody);
    setRoles(game, place, roles);
    return { roles };
  });
  app.post('/__sandbox/reset', () => {
    game.faults.clear();
    game.isDeduplicating = true;
    return { ok: true };
  });
}

function limitOf(sent: string | undefined): number {
  return Math.min(Math.max(Math.trunc(Number(sent ?? 1000)) || 1, 1), 100_000);
}
