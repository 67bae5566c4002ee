import {
  encryptionKeys,
  type LoginMethod,
  login,
  logout,
  userInfo,
} from '@pointgate/contract/accounts.ts';
import {
  arrivalHeader,
  arrivalSourceHeader,
  arrivalSwitchHeader,
} from '@pointgate/contract/arrivals.ts';
import { Credentials } from '@pointgate/contract/credentials.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { type CallSite, publicRoute } from '../../platform/http.ts';
import type { QuickLimits } from '../../platform/limits.ts';
import { addLogFields } from '../../platform/log.ts';
import { networkOf } from '../../platform/network.ts';
import { isSecret, newSecret } from '../../platform/secrets.ts';
import {
  type Session,
  sessionDays,
  signOut,
  startSession,
  useEnvelopeOnce,
  whoIs,
} from './accounts.ts';
import type { SealedBodies } from './sealed-body.ts';
import { proveIdentity, type SignInMethods } from './sign-in.ts';
import { knownDays } from './sign-in-guard.ts';

export interface AccountRoutesOptions {
  db: Db;
  sealedBodies: SealedBodies;
  methods: SignInMethods;
  quickLimits: QuickLimits;
  /** The site data that this feature needs. */
  siteOf: (siteId: string) => Promise<{ gameIds: string[]; loginMethods: LoginMethod[] }>;
  /** The secret of the browser in a provider sign-in or code request, from its cookie. */
  browserOf: (request: FastifyRequest, site: CallSite) => string | undefined;
  /** Signs in with the ticket or token of an arrival. */
  arrive: (arrival: {
    given: string;
    from: string | undefined;
    siteId: string;
    network: string;
    signedInAs: string | undefined;
    mayReplace: boolean;
  }) => Promise<Session>;
  /** Sets the session cookie. */
  giveSession: typeof setSessionCookie;
  /** Called after a session has ended. */
  sessionsChanged: (accountId: string) => void;
  now: () => number;
}

export function registerAccountRoutes(app: FastifyInstance, options: AccountRoutesOptions): void {
  const { db, quickLimits, sealedBodies, methods, siteOf, browserOf, arrive, now } = options;
  const { giveSession, sessionsChanged } = options;
  const end = async (token: string, { siteId }: CallSite) => {
    const ended = await signOut(db, { token, siteId });
    if (ended !== undefined) sessionsChanged(ended.accountId);
  };

  publicRoute(app, encryptionKeys, async () => ({
    keys: sealedBodies.publicKeys(),
    ts: Math.floor(now() / 1000),
  }));

  publicRoute(app, login, async ({ body, site, locale, request, reply }) => {
    const opened = await sealedBodies.open(body.data, login.path);
    const parsed = Credentials.safeParse(opened.payload);
    if (!parsed.success) throw new AppError('InvalidParams');
    const credentials = parsed.data;
    const { siteId } = site;
    const { gameIds, loginMethods } = await siteOf(siteId);
    requireOffered(credentials.method, loginMethods);
    const { device, keep } = rememberDevice(request, reply, site);
    const network = networkOf(request.ip);
    const { jti } = opened;
    const { accountId, requireStill } = await proveIdentity(methods, credentials.method, {
      credentials,
      network,
      device,
      proof: body.proof,
      consume: () => useEnvelopeOnce({ db, quickLimits }, { jti, network }),
      site,
      locale,
      browser: browserOf(request, site),
    });
    const token = await db.transaction(async (tx) => {
      const begun = await startSession(tx, { accountId, siteId, by: 'credentials' });
      await requireStill?.(tx);
      return begun;
    });
    addLogFields({ accountId });
    giveSession(reply, site, token);
    keep();
    return await whoIs(db, { accountId, siteId, gameIds });
  });

  publicRoute(app, userInfo, async ({ site, request, reply }) => {
    const given = headerOf(request, arrivalHeader);
    const player = await app.authenticate(request, site);
    if (given !== undefined) {
      // A refused arrival throws and keeps the browser's session, because a link that anybody can
      // send must not sign a player out.
      const session = await arrive({
        given,
        from: headerOf(request, arrivalSourceHeader),
        siteId: site.siteId,
        network: networkOf(request.ip),
        signedInAs: typeof player === 'string' ? undefined : player.accountId,
        mayReplace: headerOf(request, arrivalSwitchHeader) === 'yes',
      });
      const replaced = sessionTokenOf(request, site);
      addLogFields({ accountId: session.signedIn.accountId });
      giveSession(reply, site, session.token);
      // The cookie of the replaced session is overwritten, so the session is ended as well.
      if (replaced !== undefined) await end(replaced, site);
      return session.signedIn;
    }
    if (player === 'ended') throw new AppError('InvalidToken');
    if (player === 'none') return { login: false as const };
    const { gameIds } = await siteOf(site.siteId);
    return await whoIs(db, { ...player, gameIds });
  });

  publicRoute(app, logout, async ({ site, request, reply }) => {
    const token = sessionTokenOf(request, site);
    if (token !== undefined) await end(token, site);
    reply.clearCookie(cookieName(site), cookieOptions(site));
    return {};
  });
}

function requireOffered(method: LoginMethod, offered: readonly LoginMethod[]): void {
  if (offered.includes(method)) return;
  throw new AppError(
    method === 'EMAIL_PASSWORD_AUTH' ? 'canNoEmailLogin' : 'LoginMethodNotOffered',
  );
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

export function sessionTokenOf(request: FastifyRequest, site: CallSite): string | undefined {
  return request.cookies[cookieName(site)];
}

/**
 * The known-device secret of the browser; `keep` sets its cookie after a sign-in. The cookie grants
 * no access: it only marks the browser as known to an account.
 */
export function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  site: CallSite,
): { device: string; keep: () => void } {
  const name = isHttps(site) ? '__Host-device' : 'device';
  const value = request.cookies[name];
  const device = isSecret(value) ? value : newSecret();
  const keep = () => {
    reply.setCookie(name, device, { ...cookieOptions(site), maxAge: knownDays * 24 * 60 * 60 });
  };
  return { device, keep };
}

/** `__Host-` binds the cookie to this host; browsers accept it over https only. */
function cookieName(site: CallSite): string {
  return isHttps(site) ? '__Host-sid' : 'sid';
}

export function setSessionCookie(reply: FastifyReply, site: CallSite, token: string): void {
  reply.setCookie(cookieName(site), token, {
    ...cookieOptions(site),
    maxAge: sessionDays * 24 * 60 * 60,
  });
}

function cookieOptions(site: CallSite) {
  return { path: '/', httpOnly: true, secure: isHttps(site), sameSite: 'lax' } as const;
}

function isHttps(site: CallSite): boolean {
  return site.portalUrl.startsWith('https:');
}
