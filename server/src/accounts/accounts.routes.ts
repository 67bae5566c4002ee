import {
  encryptionKeys,
  LoginNameCredentials,
  login,
  logout,
  userInfo,
} from '@pointgate/contract/accounts.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { type CallSite, publicRoute } from '../platform/http.ts';
import { addLogFields } from '../platform/log.ts';
import { sessionDays, signInWithLoginName, signOut, useEnvelopeOnce, whoIs } from './accounts.ts';
import type { SealedBodies } from './sealed-body.ts';

export interface AccountRoutesOptions {
  db: Db;
  sealedBodies: SealedBodies;
  /** The game of a single-game site. */
  gameOf: (siteId: string) => Promise<string | null>;
  now: () => number;
}

export function registerAccountRoutes(app: FastifyInstance, options: AccountRoutesOptions): void {
  const { db, sealedBodies, gameOf, now } = options;

  publicRoute(app, encryptionKeys, async () => ({
    keys: sealedBodies.publicKeys(),
    ts: Math.floor(now() / 1000),
  }));

  publicRoute(app, login, async ({ body, site, reply }) => {
    const opened = await sealedBodies.open(body.data, login.path);
    const credentials = LoginNameCredentials.safeParse(opened.payload);
    if (!credentials.success) throw new AppError('InvalidParams');
    await useEnvelopeOnce(db, opened);
    const session = await signInWithLoginName(db, {
      credentials: credentials.data,
      siteId: site.siteId,
      gameId: await gameOf(site.siteId),
    });
    addLogFields({ accountId: session.signedIn.accountId });
    setSessionCookie(reply, site, session.token);
    return session.signedIn;
  });

  publicRoute(app, userInfo, async ({ site, request }) => {
    const player = await app.authenticate(request, site);
    if (player === 'ended') throw new AppError('InvalidToken');
    if (player === 'none') return { login: false as const };
    return await whoIs(db, { accountId: player.accountId, gameId: await gameOf(site.siteId) });
  });

  publicRoute(app, logout, async ({ site, request, reply }) => {
    const token = sessionTokenOf(request, site);
    if (token !== undefined) await signOut(db, { token, siteId: site.siteId });
    reply.clearCookie(cookieName(site), cookieOptions(site));
    return {};
  });
}

export function sessionTokenOf(request: FastifyRequest, site: CallSite): string | undefined {
  return request.cookies[cookieName(site)];
}

/** `__Host-` binds the cookie to this very host; browsers take it over https only. */
function cookieName(site: CallSite): string {
  return isHttps(site) ? '__Host-sid' : 'sid';
}

function setSessionCookie(reply: FastifyReply, site: CallSite, token: string): void {
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
