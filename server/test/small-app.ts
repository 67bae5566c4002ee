import { endpoint } from '@pointgate/contract/endpoint.ts';
import { Amount } from '@pointgate/contract/money.ts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../src/platform/errors.ts';
import { createHttp, playerRoute, publicRoute } from '../src/platform/http.ts';
import { callRaw, type RawReply } from './raw-call.ts';

const echo = endpoint({
  method: 'POST',
  path: '/api/test/echo',
  summary: 'Answers what it was told',
  access: 'public',
  body: z.strictObject({ quantity: z.int(), name: z.string() }),
  reply: z.strictObject({ quantity: z.int(), name: z.string(), locale: z.string() }),
  refusals: ['ForeignOrigin', 'ItemNotForSale'],
});

const balance = endpoint({
  method: 'GET',
  path: '/api/test/balance',
  summary: 'A large amount',
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({ amountMinor: Amount }),
  refusals: [],
});

const whoAmI = endpoint({
  method: 'POST',
  path: '/api/test/player',
  summary: 'Who is calling',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({ accountId: z.string() }),
  refusals: [],
});

export const largeAmount = 9_007_199_254_740_993n;

/**
 * The HTTP layer of the shop with test calls, on loopback. The name in the body tells `echo` what
 * to do, and the header `x-session` identifies the caller.
 */
export interface SmallApp {
  app: FastifyInstance;
  url: string;
  /** The bodies that reached a handler. */
  handled: unknown[];
  /** Completes the pending calls with the name `wait`. */
  goOn(): void;
  post(body: unknown, headers?: Record<string, string>): Promise<RawReply>;
}

export async function openSmallApp(options: { requestMs?: number } = {}): Promise<SmallApp> {
  const handled: unknown[] = [];
  const waiting = Promise.withResolvers<void>();
  const app = await createHttp({
    trustProxy: 0,
    loggedSource: 'none',
    ...options,
    siteOf: async (host) =>
      host === 'localhost' ? { siteId: 'solmere', portalUrl: 'http://localhost' } : undefined,
    authenticate: async (request) => {
      const session = request.headers['x-session'];
      if (session === 'live') return { accountId: 'aveline', siteId: 'solmere' };
      return session === 'ended' ? 'ended' : 'none';
    },
  });
  publicRoute(app, echo, async ({ body, locale }) => {
    handled.push(body);
    if (body.name === 'wait') await waiting.promise;
    if (body.name === 'refuse') throw new AppError('ItemNotForSale');
    if (body.name === 'refuse unlisted') throw new AppError('PaymentIdWrong');
    if (body.name === 'break') throw new Error('the secret is swordfish');
    if (body.name === 'lose the database') {
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
        code: 'ECONNREFUSED',
      });
    }
    if (body.name === 'lose the connection') throw new Error('Connection terminated unexpectedly');
    if (body.name === 'be busy') throw Object.assign(new Error('too slow'), { statusCode: 503 });
    // as: a reply outside the schema is what these two are for
    if (body.name === 'reply too much') return { ...body, locale, secret: 'swordfish' } as never;
    if (body.name === 'reply too little') return { quantity: 1 } as never;
    return { ...body, locale };
  });
  publicRoute(app, balance, async () => ({ amountMinor: largeAmount }));
  playerRoute(app, whoAmI, async ({ player }) => {
    handled.push(player);
    return { accountId: player.accountId };
  });
  const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', 'localhost');
  return {
    app,
    url,
    handled,
    goOn: waiting.resolve,
    post: async (body, headers = {}) =>
      await callRaw(`${url}${echo.path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
