import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import type { Page } from 'playwright';
import { z } from 'zod';
import type { Buyer } from '../buying.ts';
import type { OrderKey } from '../orders.ts';
import type { TestShop } from '../shop.ts';
import type { Outsider } from '../world.ts';

/** One way to pay, and how it is reached in these tests. */
export interface Rig {
  method: PaymentMethod;
  /** Settings that give the shop a contract with the provider. */
  settings: Record<string, string>;
  /** What an order is paid in. */
  currency: CurrencyCode | 'EPOINT';
  open(shop: TestShop): Counterpart;
  stop(): Promise<void>;
}

/** Whoever the money comes from, beside a shop that is open. */
export interface Counterpart {
  /** What was taken for an order, as the counterpart itself remembers it. */
  takenFor(order: OrderKey): Promise<Taken[]>;
  /** What went back of that, in the order in which it was asked for. */
  returnedFor(order: OrderKey): Promise<number[]>;
  /** Of a provider outside; there is none where the shop itself keeps what is paid with. */
  provider?: ProviderOutside;
  /** Whoever has to have something before they can pay. */
  prepare?(buyer: Buyer): Promise<void>;
}

interface Taken {
  captureId: string;
  amount: number;
  currency: string;
}

export interface ProviderOutside {
  /** As the tables call it. */
  name: string;
  program: Outsider;
  /** It answers no question about what became of a payment; only its messages tell. */
  isSilent?: boolean;
  /** It tells nobody of a refund that was made on its own pages; only its books do. */
  isSilentAboutRefunds?: boolean;
  /** Writes its books of today before the day is over. */
  closeBooks?(): Promise<unknown>;
  /** What the payer does on the provider's page. */
  agree(page: Page, action: PaymentAction): Promise<void>;
  /** The payer's bank says no. The payer may try again. */
  decline(page: Page, action: PaymentAction): Promise<void>;
}

const Charges = z.object({
  charges: z.array(z.object({ payment_intent: z.string(), amount: z.int(), currency: z.string() })),
});
const Refunds = z.object({
  refunds: z.array(z.object({ payment_intent: z.string(), amount: z.int() })),
});

/** All providers of the sandbox can be asked in the same words. */
export function atProvider(provider: ProviderOutside): Counterpart {
  const { program } = provider;
  const chargesOf = async ({ paymentId }: OrderKey) =>
    Charges.parse(await program.ask(`/__sandbox/charges?paymentId=${paymentId}`)).charges;
  return {
    provider,
    takenFor: async (order) =>
      (await chargesOf(order)).map(({ payment_intent, amount, currency }) => ({
        ...{ captureId: payment_intent, amount, currency: currency.toUpperCase() },
      })),
    returnedFor: async ({ paymentId }) => {
      const path = `/__sandbox/refunds?paymentId=${paymentId}`;
      return Refunds.parse(await program.ask(path)).refunds.map(({ amount }) => amount);
    },
  };
}

/** The provider's page, where there is one to be sent to. */
export function addressOf(action: PaymentAction): string {
  if (action.kind !== 'redirect') throw new Error(`a payer is not sent away by ${action.kind}`);
  return action.url;
}
