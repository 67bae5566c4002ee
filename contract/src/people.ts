import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency } from './money.ts';

/** Masked by the server; the complete value never leaves it. */
const Masked = z.nullable(z.string());

export const realNameInfo = endpoint({
  method: 'POST',
  path: '/api/user/real/info/query',
  summary:
    "The player's real-name data, masked; null where there is none. It is read only, and players " +
    'with a passkey step up first',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({
    fullName: Masked,
    address: Masked,
    phone: Masked,
    email: Masked,
    birthday: Masked,
    identityNumber: Masked,
    /** Date and place of approval are not masked. */
    approvalDate: z.nullable(z.iso.date()),
    approvalRegion: z.nullable(z.string()),
  }),
  refusals: ['RealNameWaits', 'StepUpNeeded'],
});

/** The data of `RealNameWaits`: the end of the waiting time. */
export const RealNameWaits = z.strictObject({ until: z.iso.datetime() });

const BudgetState = z.strictObject({
  currency: Currency,
  /** The monthly budget of the player; null means no budget. */
  amountMinor: z.nullable(Amount),
  /** Paid this month less refunds, including payments in progress. */
  spentMinor: Amount,
  /** A requested increase of the budget, and when it takes effect. */
  pending: z.nullable(z.strictObject({ amountMinor: z.nullable(Amount), from: z.iso.datetime() })),
});
export type BudgetState = z.output<typeof BudgetState>;

export const queryBudget = endpoint({
  method: 'POST',
  path: '/api/user/budget/query',
  summary: "The player's own monthly budget in a currency",
  access: 'player',
  body: z.strictObject({ currency: Currency }),
  reply: BudgetState,
  refusals: [],
});

export const setBudget = endpoint({
  method: 'POST',
  path: '/api/user/budget/set',
  summary:
    'Sets the monthly budget, or with null removes it. Lowering it holds at once, raising or ' +
    'removing it after 24 hours: the reply says what is pending, and from when',
  access: 'player',
  body: z.strictObject({
    amountMinor: z.nullable(Amount.check(z.refine((amount) => amount >= 0n))),
    currency: Currency,
  }),
  reply: BudgetState,
  refusals: [],
});
