import { startSignIn, wechatOpenId } from '@pointgate/contract/sign-in.ts';
import { isStorableText } from '@pointgate/contract/storable-text.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallSite, playerRoute, publicRoute, requireSite } from '../../platform/http.ts';
import { takeOrThrottle } from '../../platform/limits.ts';
import { networkOf } from '../../platform/network.ts';
import type { PlayerBounds } from '../../platform/player-bounds.ts';
import { isSecret, newSecret } from '../../platform/secrets.ts';
import {
  type AppleForm,
  appleReturnPath,
  awayMinutes,
  bindOpenId,
  finishApple,
  type IdentityContext,
  startElsewhere,
  takeAppleForm,
} from './identity.ts';

interface IdentityRoutesOptions {
  identity: IdentityContext;
  bounds: PlayerBounds;
  setSessionCookie: (reply: FastifyReply, site: CallSite, token: string) => void;
}

// Each start writes a row for ten minutes and may call the provider.
const startsPerNetwork = { max: 120, seconds: 60 };

const appleDonePath = '/api/user/apple/done';

export function registerIdentityRoutes(app: FastifyInstance, options: IdentityRoutesOptions): void {
  const { identity, bounds } = options;

  publicRoute(app, startSignIn, async ({ body, site, request, reply }) => {
    const key = `sign-in:start:${networkOf(request.ip)}`;
    await takeOrThrottle(identity.db, { key, ...startsPerNetwork }, new Date());
    const { browser, keep } = rememberBrowser(request, reply, site);
    const started = await startElsewhere(identity, { ...body, site, browser });
    keep();
    return started;
  });

  playerRoute(app, wechatOpenId, async ({ body, site, player: { accountId } }) => {
    await bounds.beforeOpenIdCall(accountId);
    return await bindOpenId(identity, { accountId, site, code: body.code });
  });

  registerAppleRoutes(app, options);
}

/** The browser's secret during a sign-in; `keep` sets the cookie. */
export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  site: CallSite,
): { browser: string; keep: () => void } {
  // One secret for all tabs, so that a second sign-in does not break the first.
  const browser = browserOf(request, site) ?? newSecret();
  const keep = () => {
    reply.setCookie(cookieName(site), browser, {
      path: '/',
      httpOnly: true,
      secure: isHttps(site),
      sameSite: 'lax',
      maxAge: awayMinutes * 60,
    });
  };
  return { browser, keep };
}

/** The browser's secret from its cookie. */
export function browserOf(request: FastifyRequest, site: CallSite): string | undefined {
  const value = request.cookies[cookieName(site)];
  return isSecret(value) ? value : undefined;
}

/**
 * Apple posts its answer cross-site, without our cookies. The form is only stored; the session
 * starts in the next step, where the browser's cookie is checked.
 */
function registerAppleRoutes(
  app: FastifyInstance,
  { identity, setSessionCookie }: IdentityRoutesOptions,
): void {
  app.register((scope, _options, done) => {
    // Form bodies are parsed for this route only.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.post(appleReturnPath, async (request, reply) => {
      const site = await requireSite(app, request);
      const form = readAppleForm(request.body);
      const handoff =
        form === undefined ? undefined : await takeAppleForm(identity, { form, site });
      const query = new URLSearchParams({ handoff: handoff ?? '' });
      return goTo(
        reply,
        handoff === undefined ? landing('/', 'false') : `${appleDonePath}?${query}`,
      );
    });
    done();
  });

  app.get(appleDonePath, async (request, reply) => {
    const site = await requireSite(app, request);
    const handoff = new URL(request.url, site.portalUrl).searchParams.get('handoff') ?? '';
    const browser = browserOf(request, site);
    const done = await finishApple(identity, { handoff, site, browser });
    if (done.token !== undefined) setSessionCookie(reply, site, done.token);
    if (done.outcome === 'cancelled') return goTo(reply, landing(done.returnPath, undefined));
    return goTo(reply, landing(done.returnPath, done.token === undefined ? 'false' : 'true'));
  });
}

function readAppleForm(body: unknown): AppleForm | undefined {
  if (!(body instanceof URLSearchParams)) return undefined;
  const state = body.get('state');
  const code = body.get('code') ?? undefined;
  if (state === null || !isSecret(state) || !isStorableText(code)) return undefined;
  return { state, code, isCancelled: body.get('error') === 'user_cancelled_authorize' };
}

/** The root with the original query; `appleId` informs the player and proves nothing. */
function landing(returnPath: string, appleId: 'true' | 'false' | undefined): string {
  const query = new URLSearchParams(appleId === undefined ? {} : { appleId });
  for (const [name, value] of new URLSearchParams(returnPath.split('?', 2)[1] ?? '')) {
    if (name !== 'appleId') query.append(name, value);
  }
  return query.size === 0 ? '/' : `/?${query}`;
}

function goTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(path, 303);
}

function cookieName(site: CallSite): string {
  return isHttps(site) ? '__Host-away' : 'away';
}

function isHttps(site: CallSite): boolean {
  return site.portalUrl.startsWith('https:');
}
