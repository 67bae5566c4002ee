import { z } from 'zod';

/** The records and the control API of a sandbox service. */
export interface SandboxClient {
  ask(path: string): Promise<unknown>;
  tell(path: string, body: object): Promise<unknown>;
}

export function sandboxClientAt(url: string): SandboxClient {
  return {
    ask: async (path) => await readJson(path, await fetch(url + path)),
    tell: async (path, body) =>
      await readJson(
        path,
        await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
  };
}

/** A response with an error status. */
class Refused extends Error {}

/** Whether a sandbox service refused a request. */
export function isRefused(error: unknown): boolean {
  return error instanceof Refused;
}

async function readJson(path: string, response: Response): Promise<unknown> {
  const text = await response.text();
  const answered = `${path} answered ${response.status}: ${text}`;
  if (response.status >= 400 && response.status < 500) throw new Refused(answered);
  if (!response.ok) throw new Error(answered);
  return JSON.parse(text);
}

/** Pays on the provider's page; a second time is the same payment. */
export async function payPage(provider: SandboxClient, sessionId: string): Promise<void> {
  await provider.tell(`/__sandbox/sessions/${sessionId}/pay`, {});
}

const Money = z.object({
  charges: z.array(
    z.object({
      id: z.string(),
      amount: z.int(),
      metadata: z.object({ paymentId: z.string() }),
    }),
  ),
  refunds: z.array(z.object({ charge: z.string(), amount: z.int(), status: z.string() })),
});

/** The provider's own record of an order: captured and refunded amounts. */
export async function moneyAtProvider(
  provider: SandboxClient,
  paymentId: string,
): Promise<{ paid: bigint; refunds: bigint[] }> {
  const records = Money.parse(await provider.ask('/__sandbox/records?limit=100000'));
  const charges = records.charges.filter(({ metadata }) => metadata.paymentId === paymentId);
  const ids = new Set(charges.map(({ id }) => id));
  const refunds = records.refunds.filter(
    ({ charge, status }) => ids.has(charge) && status === 'succeeded',
  );
  return {
    paid: charges.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    refunds: refunds.map(({ amount }) => BigInt(amount)),
  };
}
