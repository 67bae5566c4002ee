import { queryBudget, realNameInfo, setBudget } from '@pointgate/contract/people.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { type CallSite, playerRoute } from '../../platform/http.ts';
import { maskedRealName, type PeopleContext, readRealName } from './real-names.ts';
import { budgetOf, setBudget as changeBudget } from './spending.ts';

interface PeopleRoutesOptions {
  db: Db;
  people: PeopleContext;
  /** Throws if the player has to step up first. */
  requireStepUp: (request: FastifyRequest, site: CallSite) => Promise<void>;
}

export function registerPeopleRoutes(
  app: FastifyInstance,
  { db, people, requireStepUp }: PeopleRoutesOptions,
): void {
  playerRoute(app, realNameInfo, async ({ player: { accountId }, request, site }) => {
    await requireStepUp(request, site);
    const by = { by: 'player', requestId: request.id };
    return maskedRealName(await readRealName(db, people, { accountId, ...by }));
  });

  playerRoute(app, queryBudget, async ({ body, player }) =>
    budgetOf(db, people, { ...player, ...body }),
  );

  playerRoute(app, setBudget, async ({ body, player }) =>
    changeBudget(db, people, { ...player, ...body }),
  );
}
