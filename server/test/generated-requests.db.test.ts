import { addressOf } from '@pointgate/contract/endpoint.ts';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import type { Envelope } from '@pointgate/contract/envelope.ts';
import { commonRefusals, errorCodes, playerRefusals } from '@pointgate/contract/errors.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows } from './authorisation-rows.ts';
import { type AuthorisationWorld, holders, openAuthorisationWorld } from './authorisation-world.ts';
import { effort } from './effort.ts';
import {
  type GeneratedRequest,
  type Known,
  knownIn,
  requestFor,
  type Sample,
} from './generated-requests.ts';

// Sends random requests to all endpoints and checks that every answer conforms to the contract.

const requestsWanted = Number(
  process.env.GENERATED_REQUESTS || effort({ gate: 10_000, night: 50_000 }),
);
const atOnce = 32;

let world: AuthorisationWorld;
let samples: Sample[];
let known: Known;

beforeAll(async () => {
  world = await openAuthorisationWorld();
  const { shop, owned } = world;
  samples = [];
  for (const endpoint of endpoints) {
    const row = rows[endpoint.path];
    if (row === undefined) throw new Error(`${endpoint.path} has no row`);
    const body = await row.body(owned, shop);
    samples.push({ endpoint, body, address: row.address?.(owned) ?? {} });
  }
  const { openId, paidId } = owned;
  const offered = [{ gameId: 'elsewhere', serverId: 's1', method: 'epoint', currency: 'JPY' }];
  const orders = [openId, paidId].map((paymentId) => ({ paymentId, after: paymentId }));
  known = knownIn([
    ...samples.flatMap(({ body, address }) => [body, address]),
    ...orders,
    ...offered,
  ]);
});
afterAll(() => world?.stop());

/** Whether the call ends the session; the owner's session must stay. */
const endsSession = (path: string) => rows[path]?.usesSession === true;

async function sendAs(who: string, { endpoint, body, address, headers }: GeneratedRequest) {
  const { method, path } = endpoint;
  const cookie = new Map<string, string>(Object.entries(world.cookies)).get(who);
  calls += 1;
  return await world.api.inject({
    method,
    url: addressOf(endpoint, address),
    headers: {
      host: 'localhost',
      // From a different network each time, so that rate limits do not answer in place of the
      // endpoint.
      'x-forwarded-for': `203.${(calls >> 8) & 255}.${calls & 255}.9`,
      ...(cookie === undefined || endsSession(path) ? {} : { cookie }),
      ...headers,
    },
    ...(method === 'POST' ? { payload: body } : {}),
  });
}

let calls = 0;

type Answer = Awaited<ReturnType<typeof sendAs>>;

/** Why an answer violates the contract; undefined if it conforms. */
function complaint({ endpoint }: GeneratedRequest, answer: Answer): string | undefined {
  const { statusCode, headers } = answer;
  if (statusCode >= 500) return `status ${statusCode}`;
  if (headers['cache-control'] !== 'no-store') return 'may be kept';
  const envelope = answer.json<Envelope>();
  if (envelope.status !== statusCode) return 'another status in the body';
  if (envelope.isSuccess) {
    const { success, error } = endpoint.reply.safeParse(envelope.data);
    return success ? undefined : `a reply outside the contract: ${error?.message}`;
  }
  const { code } = envelope;
  const known: readonly (string | null)[] = [
    ...endpoint.refusals,
    ...commonRefusals,
    ...(endpoint.access === 'player' ? playerRefusals : []),
    'NotFound',
  ];
  if (code === null || !known.includes(code)) return `refused with ${code}, which it does not list`;
  // Malformed requests have the code InvalidParams with a specific status.
  const isOwnStatus = errorCodes[code].status === statusCode;
  return isOwnStatus || code === 'InvalidParams' ? undefined : `${code} with status ${statusCode}`;
}

test(
  'a randomly generated API request is answered within the API contract and never with an HTTP 5xx status',
  async () => {
    const seed = Number(process.env.GENERATED_SEED || Date.now());
    const requests = fc.oneof(...samples.map((sample) => requestFor(sample, known)));
    const asked = fc.tuple(
      // Mostly with the owner's session.
      fc.oneof(
        { arbitrary: fc.constant('owner'), weight: 4 },
        fc.constantFrom('nobody', ...holders),
      ),
      requests,
    );
    const wrong = new Map<string, unknown>();
    const reached = new Set<string>();
    const sendOne = async ([who, request]: readonly [string, GeneratedRequest]) => {
      const { endpoint, body, address, headers } = request;
      const answer = await sendAs(who, request);
      if (answer.json<Envelope>().isSuccess) reached.add(endpoint.path);
      const found = complaint(request, answer);
      if (found === undefined) return;
      const what = { who, body: body.slice(0, 500), address, headers, got: answer.body };
      wrong.set(`${endpoint.path}: ${found}`, what);
    };
    // Each sender proceeds independently, so that a delayed answer blocks no others.
    const waiting = fc.sample(asked, { numRuns: requestsWanted, seed });
    const sendUntilDone = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await sendOne(next);
    };
    await Promise.all(Array.from({ length: atOnce }, sendUntilDone));
    expect(Object.fromEntries(wrong), `seed ${seed}`).toEqual({});
    // If few endpoints succeed, the generated requests are refused too early to prove anything.
    expect(reached.size).toBeGreaterThan(endpoints.length / 2);
  },
  20 * 60_000,
);
