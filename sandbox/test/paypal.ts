import { Agent } from 'node:https';
import { connect } from 'node:tls';
import {
  CheckoutPaymentIntent,
  Client,
  Environment,
  type OrderRequest,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
} from '@paypal/paypal-server-sdk';
import { type Program, startProgram } from './programs.ts';

export const clientId = 'sandbox-client';
export const clientSecret = 'sandbox-client-secret';
export const webhookId = '8PT597110X687430LKGECATA';

type Thing = Record<string, unknown> & { id: string };

type PaypalRecords = {
  counts: Record<string, number>;
  orders: Thing[];
  charges: (Thing & { status: string; amount: number })[];
  refunds: (Thing & { status: string })[];
  events: (Thing & { event_type: string; resource: Record<string, unknown> })[];
  webhookDeliveries: {
    eventId: string;
    type: string;
    copy: number;
    attempt: number;
    outcome: string;
    status: number | null;
    signature: string;
    at: string;
  }[];
  requests: { method: string; path: string; request_id: string | null }[];
};

type Api = { host: string; port: number; root: string };

/** The program, with the unmodified SDK, whose connections are directed to it. */
export async function startPaypal(env: Record<string, string> = {}) {
  const program = await startProgram('paypal', {
    PAYPAL_CLIENT_ID: clientId,
    PAYPAL_CLIENT_SECRET: clientSecret,
    PAYPAL_WEBHOOK_ID: webhookId,
    ...env,
  });
  const api = await apiOf(program);
  return {
    ...program,
    api,
    sdk: sdkFor(api, clientSecret),
    sdkWithSecret: (secret: string) => sdkFor(api, secret),
    records: async (): Promise<PaypalRecords> => {
      const records = await program.get('/__sandbox/records');
      if (!isRecords(records)) throw new Error('the answer has no records');
      return records;
    },
  };
}

export type PaypalProgram = Awaited<ReturnType<typeof startPaypal>>;

/** The parameters of an order for a pack of 4.99 dollars. */
export function givenOrderParams(changes: Partial<OrderParams> = {}): OrderRequest {
  const { amount = '4.99', currency = 'USD', ...unit } = changes;
  return {
    intent: CheckoutPaymentIntent.Capture,
    purchaseUnits: [
      {
        referenceId: crypto.randomUUID(),
        invoiceId: crypto.randomUUID(),
        customId: 'ours',
        description: '60 gems',
        amount: { currencyCode: currency, value: amount },
        ...unit,
      },
    ],
    paymentSource: {
      paypal: {
        experienceContext: {
          returnUrl: 'http://127.0.0.1:9/return',
          cancelUrl: 'http://127.0.0.1:9/cancelled',
        },
      },
    },
  };
}
type OrderParams = {
  amount: string;
  currency: string;
  referenceId: string;
  invoiceId: string;
};

export async function givenOrder(paypal: PaypalProgram, changes: Partial<OrderParams> = {}) {
  const { result } = await paypal.sdk.orders.createOrder({
    body: givenOrderParams(changes),
    prefer: 'return=representation',
  });
  return String(result.id);
}

/** Creates, approves and captures an order; answers the ids of order and capture. */
export async function givenCapture(paypal: PaypalProgram, changes: Partial<OrderParams> = {}) {
  const orderId = await givenOrder(paypal, changes);
  await paypal.tell(`/__sandbox/orders/${orderId}/approve`);
  const { result } = await paypal.sdk.orders.captureOrder({
    id: orderId,
    prefer: 'return=representation',
  });
  const captureId = result.purchaseUnits?.[0]?.payments?.captures?.[0]?.id;
  if (captureId === undefined) throw new Error('the order was not captured');
  return { orderId, captureId };
}

/** Submits a form of the payment page, as a browser without scripts does. */
export async function press(paypal: PaypalProgram, orderId: string, button: string) {
  return await fetch(`${paypal.url}/checkoutnow/${button}?token=${orderId}`, {
    method: 'POST',
    redirect: 'manual',
  });
}

/** An agent that connects to the sandbox and verifies its certificate for the requested host. */
export function agentFor({ port, root }: Api): Agent {
  class SandboxAgent extends Agent {
    override createConnection(options: { host?: string }) {
      return connect({ host: '127.0.0.1', port, servername: options.host ?? '', ca: root });
    }
  }
  return new SandboxAgent();
}

function sdkFor(api: Api, secret: string) {
  const client = new Client({
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: secret },
    environment: Environment.Sandbox,
    timeout: 30_000,
    httpClientOptions: { httpsAgent: agentFor(api) },
  });
  return {
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    transactions: new TransactionSearchController(client),
  };
}

async function apiOf(program: Program): Promise<Api> {
  const health = await program.get('/__sandbox/health');
  if (!isHealth(health)) throw new Error('the health answer has no API address');
  return health.api;
}

function isHealth(value: unknown): value is { api: Api } {
  return typeof value === 'object' && value !== null && 'api' in value;
}

function isRecords(value: unknown): value is PaypalRecords {
  return typeof value === 'object' && value !== null && 'webhookDeliveries' in value;
}
