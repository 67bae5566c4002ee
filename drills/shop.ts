import { join } from 'node:path';
import type { Endpoint, ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import pg from 'pg';
import { type Stack, startStack } from '../tools/stack/start-stack.ts';
import { type Call, call } from './call.ts';
import { pause } from './pause.ts';
import { logProgress } from './progress.ts';
import type { Random } from './random.ts';
import { type SandboxClient, sandboxClientAt } from './sandbox-client.ts';

/** A shop of several processes with its sandbox, and the drill's access to it. */
export interface Shop {
  stack: Stack;
  provider: SandboxClient;
  /**
   * Queries the database directly, on a new connection each time, because open connections may be
   * killed.
   */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Waits for the work, and rejects if a process of the shop ends unexpectedly. */
  during<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Limits high enough for drills, whose players buy more in a minute than others in a day. */
const unbounded = {
  UNPAID_ORDERS_MAX: '100000',
  PAYMENT_CALLS_MAX: '100000',
  GAME_CALLS_MAX: '100000',
};

const compileCache = join(import.meta.dirname, '../.pointgate/drill/compile-cache');

export async function openShop(options: {
  apis: number;
  workers: number;
  serverEnv?: Record<string, string>;
  serverRoot?: string;
}): Promise<Shop> {
  logProgress('the shop is being opened');
  const stack = await startStack({
    mode: 'bare',
    name: 'drill',
    fresh: true,
    ...options,
    // A compile cache, because hundreds of programs are started: it halves their start time.
    serverEnv: { NODE_COMPILE_CACHE: compileCache, ...unbounded, ...options.serverEnv },
  });
  const broken = stack.failed.then((what) => Promise.reject(new Error(what)));
  // Rejections are handled by those who await it; otherwise this avoids an unhandled rejection.
  broken.catch(() => {});
  // Drills count points exactly, so rebates are removed. Gifts of packs stay.
  await queryOnce(
    stack.databaseUrl,
    `update rebate_campaigns set ends_at = now() where kind = 'points'`,
    [],
  );
  return {
    stack,
    provider: sandboxClientAt(stack.sandbox.stripe),
    query: (text, values = []) => queryOnce(stack.databaseUrl, text, values),
    during: (work) => Promise.race([work, broken]),
    close: stack.stop,
  };
}

async function queryOnce<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Where and as whom to call, and which api to use next. */
export interface Caller {
  apis: readonly string[];
  cookie: string;
  random: Random;
}

/** The outcome of a call that must have a clear answer. */
export type ClearOutcome<E extends Endpoint> =
  | { kind: 'done'; reply: ReplyOf<E> }
  | { kind: 'refused'; code: ErrorCode };

const patienceMs = 90_000;

/**
 * Repeats the identical call until it gets a clear answer, as a browser does when a response is
 * lost. Each attempt may reach another api behind the load balancer.
 */
export async function callUntilClear<E extends Endpoint>(
  { apis, cookie, random }: Caller,
  endpoint: E,
  body: Call<E>['body'],
): Promise<ClearOutcome<E>> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const outcome = await call({ api: random.pick(apis), endpoint, body, cookie });
    if (outcome.kind !== 'unclear') return outcome;
    if (performance.now() > deadline) {
      throw new Error(`${endpoint.path} has no clear answer in ${patienceMs} ms: ${outcome.why}`);
    }
    await pause(50 + random.below(250));
  }
}

/** The reply of a call that must succeed. */
export async function callOrThrow<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  body: Call<E>['body'],
): Promise<ReplyOf<E>> {
  const settled = await callUntilClear(caller, endpoint, body);
  if (settled.kind === 'done') return settled.reply;
  throw new Error(`${endpoint.path} was refused: ${settled.code}`);
}
