import cookie from '@fastify/cookie';
import type { AddressOf, Endpoint, ReplyOf } from '@pointgate/contract/endpoint.ts';
import { type Envelope, requestIdHeader } from '@pointgate/contract/envelope.ts';
import {
  commonRefusals,
  type ErrorCode,
  errorCodes,
  playerRefusals,
} from '@pointgate/contract/errors.ts';
import { type Locale, toLocale } from '@pointgate/contract/locales.ts';
import { isStorableText } from '@pointgate/contract/storable-text.ts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { isConnectionLoss, isOverload } from './db.ts';
import { AppError } from './errors.ts';
import { newId } from './ids.ts';
import { addLogFields, log, withLogFields } from './log.ts';
import { type LoggedSource, sourceOf } from './log-source.ts';
import { dropUntrustedHeaders, openProxies, type TrustProxy } from './proxies.ts';

/**
 * The caller, as proven by the session. The identity headers of the specification are only hints.
 */
export interface Player {
  accountId: string;
  siteId: string;
}

/** Identifies the caller. `ended` is a session that has ended, `none` is no session. */
type Authenticate = (request: FastifyRequest, site: CallSite) => Promise<Player | 'none' | 'ended'>;

type SiteOf = (host: string) => Promise<CallSite | undefined>;

/** The site of a request, chosen by its host name. */
export interface CallSite {
  siteId: string;
  portalUrl: string;
}

/** The data that a handler gets about its call. */
export interface Call<Body, Address = unknown> {
  body: Body;
  address: Address;
  site: CallSite;
  locale: Locale;
  request: FastifyRequest;
  reply: FastifyReply;
}

const bodyBytesMax = 64 * 1024;
const requestMsMax = 20_000;
/** The Retry-After of a SystemBusy answer, in seconds. */
const busySeconds = 5;

export interface HttpOptions {
  authenticate: Authenticate;
  siteOf: SiteOf;
  trustProxy: TrustProxy;
  /** The header in which a trusted proxy sends the country of a request. */
  countryHeader?: string | undefined;
  /** How the source address of a request is logged. */
  loggedSource: LoggedSource;
  /** The timeout for receiving a whole request; half of it for the headers. */
  requestMs?: number;
}

/**
 * Headers of every response. The permissions policy disables features that no page of ours uses,
 * also for injected scripts.
 */
export const answerHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Ignored by browsers over plain http.
  'strict-transport-security': 'max-age=31536000',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), serial=(), usb=()',
  // Allows provider pages as popups, without access to our window.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  // A response opened directly is treated as text. The portal page sets its own policy.
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

declare module 'fastify' {
  interface FastifyInstance {
    authenticate: Authenticate;
    siteOf: SiteOf;
  }
}

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { requestMs = requestMsMax, loggedSource } = options;
  const isProxy = openProxies(options.trustProxy);
  const app = fastify({
    logger: false,
    genReqId: () => newId(),
    bodyLimit: bodyBytesMax,
    trustProxy: isProxy,
    requestTimeout: requestMs,
    // By default Node checks for slow requests every half minute and allows headers a minute.
    http: { headersTimeout: requestMs / 2, connectionsCheckingInterval: requestMs / 10 },
    connectionTimeout: 60_000,
    handlerTimeout: 30_000,
    routerOptions: { ignoreTrailingSlash: false },
    // Malformed URLs, which reach no route, hook or error handler.
    frameworkErrors: (error, _request, reply) => refuse(error, reply.headers(answerHeaders)),
  });
  app.decorate('authenticate', options.authenticate);
  app.decorate('siteOf', options.siteOf);
  // Only JSON is accepted: a form or text/plain could be sent cross-site without a preflight.
  app.removeContentTypeParser('text/plain');
  await app.register(cookie);
  app.addHook('onRequest', ({ raw: { headers, socket } }, _reply, done) => {
    const isFromProxy = isProxy(socket.remoteAddress, 0);
    dropUntrustedHeaders(headers, { isFromProxy, countryHeader: options.countryHeader });
    done();
  });
  app.addHook('onRequest', (request, _reply, done) =>
    withLogFields({ requestId: request.id }, () => done()),
  );
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header(requestIdHeader, request.id);
    // An open keep-alive connection would delay the shutdown.
    if (isClosing) reply.header('connection', 'close');
    const ownPolicy = reply.getHeader('content-security-policy');
    reply.headers(answerHeaders);
    if (ownPolicy !== undefined) reply.header('content-security-policy', ownPolicy);
  });
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?', 1)[0];
    if (path?.startsWith('/assets/') || path?.startsWith('/art/')) return;
    // Logged, because refusals have HTTP status 200 or 203.
    const code = sentCodes.get(request) ?? null;
    const ms = Math.round(reply.elapsedTime);
    const source = sourceOf(request.ip, loggedSource);
    const { method } = request;
    log.info({ method, path, status: reply.statusCode, code, ms, ...source }, 'request');
  });
  app.setErrorHandler((error, _request, reply) => refuse(error, reply));
  app.setNotFoundHandler((_request, reply) => refuse(new AppError('NotFound'), reply));
  return app;
}

/** Registers a call without a session. */
export function publicRoute<E extends Endpoint<'public'>>(
  app: FastifyInstance,
  endpoint: E,
  handle: (call: Call<z.output<E['body']>, AddressOf<E>>) => Promise<ReplyOf<E>>,
): void {
  register(app, endpoint, (call) => handle(call));
}

/** Registers a call that requires a live session; without one it is answered with 203. */
export function playerRoute<E extends Endpoint<'player'>>(
  app: FastifyInstance,
  endpoint: E,
  handle: (
    call: Call<z.output<E['body']>, AddressOf<E>> & { player: Player },
  ) => Promise<ReplyOf<E>>,
): void {
  register<E>(app, endpoint, async (call) => {
    return await handle({ ...call, player: await requirePlayer(app, call) });
  });
}

/** For routes outside the contract, such as an event stream. */
export async function requirePlayer(
  app: FastifyInstance,
  { request, site }: { request: FastifyRequest; site: CallSite },
): Promise<Player> {
  const player = await app.authenticate(request, site);
  if (player === 'none' || player === 'ended') throw new AppError('InvalidToken');
  addLogFields({ accountId: player.accountId });
  return player;
}

export async function requireSite(
  app: FastifyInstance,
  request: FastifyRequest,
): Promise<CallSite> {
  const site = await app.siteOf(request.hostname.toLowerCase());
  if (site === undefined) throw new AppError('NotFound');
  return site;
}

function register<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (call: Call<z.output<E['body']>, AddressOf<E>>) => Promise<ReplyOf<E>>,
): void {
  const allowed = new Set<ErrorCode>([
    ...endpoint.refusals,
    ...commonRefusals,
    ...(endpoint.access === 'player' ? playerRefusals : []),
    'NotFound', // a host name without a site
  ]);
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      try {
        if (endpoint.method === 'POST') requireSameOrigin(request);
        const data = await handle({
          body: parseBody(endpoint, request.body),
          address: parseAddress(endpoint, request),
          site: await requireSite(app, request),
          locale: toLocale(request.headers['accept-language']?.split(',', 1)[0] ?? ''),
          request,
          reply,
        });
        send(reply, 200, succeeded(z.encode(endpoint.reply, data)));
      } catch (error) {
        if (error instanceof AppError && !allowed.has(error.code)) {
          throw new Error(`${endpoint.path} does not list ${error.code}`, { cause: error });
        }
        throw error;
      }
      return reply;
    },
  });
}

/** Refuses unknown fields, values of the wrong type, and text that PostgreSQL cannot store. */
function parseBody<E extends Endpoint>(endpoint: E, body: unknown): z.output<E['body']> {
  const sent = endpoint.method === 'GET' ? {} : body;
  const parsed = endpoint.body.safeParse(sent);
  // In this order: a value that fits the schema has limited depth, so the second check terminates.
  if (!parsed.success || !isStorableText(sent)) throw new MalformedRequest();
  return parsed.data as z.output<E['body']>; // as: safeParse of a generic schema forgets its output
}

/** Parses path and query parameters; the query of a POST is ignored. */
function parseAddress<E extends Endpoint>(endpoint: E, request: FastifyRequest): AddressOf<E> {
  const schema: z.ZodMiniType = endpoint.address ?? z.unknown();
  const query = endpoint.method === 'GET' ? request.query : {};
  const parsed = schema.safeParse(Object.assign({}, query, request.params));
  if (!parsed.success) throw new MalformedRequest();
  return parsed.data as AddressOf<E>; // as: safeParse of a generic schema forgets its output
}

class MalformedRequest extends Error {}

/**
 * Accepts writes only from the shop's own pages. Browsers send the origin of a request; webviews
 * too old for that cannot add the `version` header to a cross-site request without a preflight,
 * which is never granted.
 */
function requireSameOrigin(request: FastifyRequest): void {
  const { 'sec-fetch-site': site, origin, version } = request.headers;
  const isOwn =
    site !== undefined
      ? site === 'same-origin'
      : origin !== undefined
        ? URL.parse(origin)?.host === request.host
        : version !== undefined;
  if (!isOwn) throw new AppError('ForeignOrigin');
}

function succeeded(data: unknown): Envelope {
  return { isSuccess: true, data, msg: '', code: null, status: 200 };
}

function refuse(error: unknown, reply: FastifyReply): void {
  const { code, status } = refusalOf(error);
  const isWorthLogging = code === 'InternalError' || isOverload(error) || isConnectionLoss(error);
  if (isWorthLogging) log.error({ err: error }, 'request failed');
  const refusal = error instanceof AppError ? error : undefined;
  const wait = refusal?.retryAfterSeconds ?? (status === 503 ? busySeconds : undefined);
  if (wait !== undefined) reply.header('retry-after', wait);
  send(reply, status, refused(code, { status, data: refusal?.data ?? null }));
}

/** The envelope of a refusal, also for embedding in a page. */
export function refused(
  code: ErrorCode,
  { status = errorCodes[code].status, data = null }: { status?: number; data?: object | null } = {},
): Envelope {
  return { isSuccess: false, data, msg: errorCodes[code].meaning, code, status };
}

function refusalOf(error: unknown): { code: ErrorCode; status: number } {
  if (error instanceof AppError) return { code: error.code, status: errorCodes[error.code].status };
  if (error instanceof MalformedRequest) return { code: 'InvalidParams', status: 400 };
  // Errors of Fastify: broken JSON, a body that is too large, an unsupported media type.
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { code: 'InvalidParams', status };
  }
  if (status === 503 || isOverload(error) || isConnectionLoss(error)) {
    return { code: 'SystemBusy', status: 503 };
  }
  return { code: 'InternalError', status: 500 };
}

const sentCodes = new WeakMap<FastifyRequest, ErrorCode>();

function send(reply: FastifyReply, status: number, envelope: Envelope): void {
  if (envelope.code !== null) sentCodes.set(reply.request, envelope.code);
  // Status 203 is cacheable by default, so caching is disabled explicitly.
  reply.status(status).header('cache-control', 'no-store').send(envelope);
}
