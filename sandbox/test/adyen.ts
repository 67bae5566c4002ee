import { randomUUID } from 'node:crypto';
import { CheckoutAPI, Client, EnvironmentEnum, hmacValidator, Types } from '@adyen/api-library';
import { startProgram } from './programs.ts';

export const apiKey = 'AQE_sandbox_api_key';
export const merchantAccount = 'PointgateECOM';
export const hmacKeys = [
  '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  '8E4F2A7BDE10C94C3D2B1A60F7E8D9C4B5A69788776655443322110FFEEDDCC0',
];

/** The program, with the unmodified SDK connected to it. */
export async function startAdyen(env: Record<string, string> = {}) {
  const program = await startProgram('adyen', {
    ADYEN_API_KEY: apiKey,
    ADYEN_MERCHANT_ACCOUNT: merchantAccount,
    ADYEN_HMAC_KEYS: hmacKeys.join(','),
    ...env,
  });
  const sdk = (key = apiKey) => sdkFor(program.url, key);
  return { ...program, sdk: sdk(), sdkWith: sdk, records: () => recordsOf(program) };
}
export type AdyenProgram = Awaited<ReturnType<typeof startAdyen>>;

/** Calls the API through the SDK; answers the body, or the HTTP status and body of an error. */
export class Refused extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: string) {
    super(`${status} ${body}`);
    this.status = status;
    this.body = body === '' ? '' : JSON.parse(body);
  }
}

/** The SDK's HTTP client supports TLS only, so this client over plain HTTP replaces it. */
function sdkFor(url: string, key: string): CheckoutAPI {
  const client = new Client(
    { apiKey: key, environment: EnvironmentEnum.TEST },
    {
      request: async (endpoint, json, config, _isKeyRequired, options = {}) => {
        const { pathname } = new URL(endpoint);
        const query = new URLSearchParams(options.params).toString();
        const method = options.method ?? 'POST';
        const response = await fetch(`${url}${pathname}${query === '' ? '' : `?${query}`}`, {
          method,
          headers: {
            'content-type': 'application/json',
            'x-api-key': config.apiKey ?? '',
            ...(options.idempotencyKey === undefined
              ? {}
              : { 'idempotency-key': options.idempotencyKey }),
          },
          ...(method === 'GET' ? {} : { body: String(json) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Refused(response.status, text);
        return text;
      },
    },
  );
  return new CheckoutAPI(client);
}

/** The parameters of a session for a pack of 4.99 dollars. */
export function givenSession(changes: Partial<Types.checkout.CreateCheckoutSessionRequest> = {}) {
  return {
    merchantAccount,
    amount: { value: 499, currency: 'USD' },
    reference: givenReference(randomUUID()),
    returnUrl: 'http://localhost/main/recharge/detail/1?from=pay',
    expiresAt: new Date(Date.now() + 30 * 60_000),
    mode: Types.checkout.CreateCheckoutSessionRequest.ModeEnum.Hosted,
    countryCode: 'US',
    ...changes,
  };
}

/**
 * A reference of at most eighty characters from three ids, the second of which is the payment id.
 */
export function givenReference(paymentId: string): string {
  return [randomUUID(), paymentId, randomUUID()]
    .map((id) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'))
    .join('.');
}

/** Creates a session and pays it. */
export async function givenPaid(
  adyen: AdyenProgram,
  changes: Partial<Types.checkout.CreateCheckoutSessionRequest> = {},
) {
  const paymentId = randomUUID();
  const session = await adyen.sdk.PaymentsApi.sessions(
    givenSession({ reference: givenReference(paymentId), ...changes }),
  );
  const paid = await adyen.tell(`/__sandbox/sessions/${session.id}/pay`);
  // The sandbox is part of this project, and the test checks every field that it uses.
  const { session: found } = paid as { session: { payment_intent: { id: string } } };
  return { session, paymentId, pspReference: found.payment_intent.id };
}

/** The items of a message, each verified with the SDK. */
export function openMessage({ body }: { body: Buffer }, key = hmacKeys[0] ?? '') {
  const validator = new hmacValidator();
  const { live, notificationItems } = JSON.parse(body.toString('utf8'));
  // The sandbox is part of this project, and the validator of the SDK checks the item.
  const items = notificationItems as {
    NotificationRequestItem: Types.notification.NotificationRequestItem;
  }[];
  return {
    live,
    items: items.map(({ NotificationRequestItem: item }) => {
      if (!validator.validateHMAC(item, key)) throw new Error('bad signature');
      return item;
    }),
  };
}

type AdyenRecords = {
  counts: Record<string, number>;
  sessions: { id: string; status: string; payment_id: string; asked: object }[];
  charges: { id: string; amount: number; currency: string; paymentId: string }[];
  refunds: { id: string; reference: string | null; status: string; amount: number }[];
  disputes: { id: string; status: string }[];
  events: { id: string; type: string; data: { object: { success: string } } }[];
  webhookDeliveries: {
    eventId: string;
    type: string;
    attempt: number;
    outcome: string;
    signature: string;
  }[];
  requests: number;
};

async function recordsOf(program: { get(path: string): Promise<unknown> }) {
  // The sandbox is part of this project, and the test checks every field that it uses.
  return (await program.get('/__sandbox/records')) as AdyenRecords;
}
