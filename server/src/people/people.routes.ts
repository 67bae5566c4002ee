import { queryBudget, realNameInfo, setBudget } from '@pointgate/contract/people.ts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../platform/db.ts';
import { playerRoute } from '../platform/http.ts';
import { hidden, maskEmail, maskIdentityNumber, maskName, maskPhone } from './masks.ts';
import { type PeopleContext, readRealName } from './people.ts';
import type { Secret } from './secret.ts';
import { budgetOf, setBudget as changeBudget } from './spending.ts';

export function registerPeopleRoutes(
  app: FastifyInstance,
  { db, people }: { db: Db; people: PeopleContext },
): void {
  playerRoute(app, realNameInfo, async ({ player: { accountId }, request }) => {
    const by = { by: 'player', requestId: request.id };
    const person = await readRealName(db, people, { accountId, ...by });
    return {
      fullName: masked(person?.fullName, maskName),
      address: masked(person?.address, () => hidden),
      phone: masked(person?.phone, maskPhone),
      email: masked(person?.email, maskEmail),
      birthday: masked(person?.birthday, () => hidden),
      identityNumber: masked(person?.identityNumber, maskIdentityNumber),
      approvalDate: masked(person?.approvalDate, (date) => date),
      approvalRegion: masked(person?.approvalRegion, (region) => region),
    };
  });

  playerRoute(app, queryBudget, async ({ body, player }) =>
    budgetOf(db, people, { ...player, ...body }),
  );

  playerRoute(app, setBudget, async ({ body, player }) =>
    changeBudget(db, people, { ...player, ...body }),
  );
}

function masked(
  value: Secret<string> | null | undefined,
  mask: (text: string) => string,
): string | null {
  return value == null ? null : mask(value.reveal());
}
