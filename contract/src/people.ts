import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency } from './money.ts';

/** Hidden as far as each value needs it, by the server: the whole of it never leaves there. */
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
    /** When and where it was approved says little of the player, and is told in full. */
    approvalDate: z.nullable(z.iso.date()),
    approvalRegion: z.nullable(z.string()),
  }),
  refusals: ['RealNameWaits', 'StepUpNeeded'],
});

/** The data of `RealNameWaits`: until when. */
export const RealNameWaits = z.strictObject({ until: z.iso.datetime() });

const BudgetState = z.strictObject({
  currency: Currency,
  /** What the player may pay in a month; null is no budget. */
  amountMinor: z.nullable(Amount),
  /** Paid this month, less what went back, and what is being paid right now. */
  spentMinor: Amount,
  /** A raise that was asked for and holds from this time on. */
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
