import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import type { Page } from 'playwright';
import { z } from 'zod';
import type { Buyer } from '../buying.ts';
import type { OrderKey } from '../orders.ts';
import type { TestShop } from '../shop.ts';
import type { Outsider } from '../world.ts';

/** One payment method under test, and how the tests reach it. */
export interface Rig {
  method: PaymentMethod;
  /** Settings that give the shop a contract with the provider. */
  settings: Record<string, string>;
  /** What an order is paid in. */
  currency: CurrencyCode | 'EPOINT';
  open(shop: TestShop): Counterpart;
  stop(): Promise<void>;
}

/** The side that a payment is taken from: a provider's sandbox, or the shop's own points. */
export interface Counterpart {
  /** The charges of an order in the counterpart's own records. */
  takenFor(order: OrderKey): Promise<Taken[]>;
  /** The amounts refunded for an order, in the order of the requests. */
  returnedFor(order: OrderKey): Promise<number[]>;
  /** Absent for points, which the shop keeps itself. */
  provider?: ProviderOutside;
  /** Gives the buyer what the payment method needs, such as a balance. */
  prepare?(buyer: Buyer): Promise<void>;
}

interface Taken {
  captureId: string;
  amount: number;
  currency: string;
}

export interface ProviderOutside {
  /** The provider's name in the database. */
  name: string;
  program: Outsider;
  /** The provider has no payment query; its webhooks are the only source. */
  isSilent?: boolean;
  /** The provider sends no webhook for a refund made on its own pages; only its settlement has it. */
  isSilentAboutRefunds?: boolean;
  /** Makes the settlement of today available before the day is over. */
  closeBooks?(): Promise<unknown>;
  /** Pays on the provider's page. */
  agree(page: Page, action: PaymentAction): Promise<void>;
  /** Has the payment declined on the provider's page; the payer may try again. */
  decline(page: Page, action: PaymentAction): Promise<void>;
}

const Charges = z.object({
  charges: z.array(z.object({ payment_intent: z.string(), amount: z.int(), currency: z.string() })),
});
const Refunds = z.object({
  refunds: z.array(z.object({ payment_intent: z.string(), amount: z.int() })),
});

/** Every provider of the sandbox lists its charges and refunds in the same way. */
export function atProvider(provider: ProviderOutside): Counterpart {
  const { program } = provider;
  const chargesOf = async ({ paymentId }: OrderKey) =>
    Charges.parse(await program.ask(`/__sandbox/charges?paymentId=${paymentId}`)).charges;
  return {
    provider,
    takenFor: async (order) =>
      (await chargesOf(order)).map(({ payment_intent, amount, currency }) => ({
        captureId: payment_intent,
        amount,
        currency: currency.toUpperCase(),
      })),
    returnedFor: async ({ paymentId }) => {
      const path = `/__sandbox/refunds?paymentId=${paymentId}`;
      return Refunds.parse(await program.ask(path)).refunds.map(({ amount }) => amount);
    },
  };
}

/** The URL of the provider's page. */
export function addressOf(action: PaymentAction): string {
  if (action.kind !== 'redirect') throw new Error(`no redirect, but ${action.kind}`);
  return action.url;
}
