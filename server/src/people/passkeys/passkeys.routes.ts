import {
  finishPasskey,
  finishPasskeyLogin,
  finishStepUp,
  listPasskeys,
  removePasskey,
  startPasskey,
  startPasskeyLogin,
  startStepUp,
} from '@pointgate/contract/passkeys.ts';
import { reviewPasskeys } from '@pointgate/contract/passwords.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallSite, playerRoute, publicRoute } from '../../platform/http.ts';
import { addLogFields } from '../../platform/log.ts';
import { networkOf } from '../../platform/network.ts';
import {
  beginPasskey,
  beginSignIn,
  beginStepUp,
  dropPasskey,
  type InSession,
  keepPasskey,
  type PasskeysContext,
  passkeysOf,
  signInWithPasskey,
  stepUpWithPasskey,
} from './passkeys.ts';
import { endReview } from './reviews.ts';

interface PasskeyRoutesOptions {
  passkeys: PasskeysContext;
  sessionOf: (request: FastifyRequest, site: CallSite) => InSession['session'];
  setSessionCookie: (reply: FastifyReply, site: CallSite, token: string) => void;
  /** The secret of the browser that started the sign-in, from its cookie. */
  browserOf: (request: FastifyRequest, site: CallSite) => string | undefined;
  rememberBrowser: (
    request: FastifyRequest,
    reply: FastifyReply,
    site: CallSite,
  ) => { browser: string; keep: () => void };
  /** The known-device cookie of the browser, for sign-in limits. */
  rememberDevice: (
    request: FastifyRequest,
    reply: FastifyReply,
    site: CallSite,
  ) => { device: string; keep: () => void };
}

export function registerPasskeyRoutes(app: FastifyInstance, options: PasskeyRoutesOptions): void {
  const { passkeys, sessionOf } = options;
  const inSession = ({ request, site }: { request: FastifyRequest; site: CallSite }) => ({
    session: sessionOf(request, site),
    site,
  });

  playerRoute(app, startPasskey, async (call) => ({
    options: await beginPasskey(passkeys, inSession(call)),
  }));

  playerRoute(app, finishPasskey, async (call) => {
    const { response: registration, name } = call.body;
    return await keepPasskey(passkeys, { ...inSession(call), registration, name });
  });

  playerRoute(app, listPasskeys, async (call) => ({
    passkeys: await passkeysOf(passkeys, inSession(call)),
  }));

  playerRoute(app, removePasskey, async (call) => {
    await dropPasskey(passkeys, { ...inSession(call), ...call.body });
    return {};
  });

  playerRoute(app, startStepUp, async (call) => ({
    options: await beginStepUp(passkeys, inSession(call)),
  }));

  playerRoute(app, finishStepUp, async (call) => {
    await stepUpWithPasskey(passkeys, { ...inSession(call), assertion: call.body.response });
    return {};
  });

  publicRoute(app, reviewPasskeys, async ({ body, site }) => {
    await endReview(passkeys, { ...body, siteId: site.siteId });
    return {};
  });

  registerSignIn(app, options);
}

function registerSignIn(
  app: FastifyInstance,
  { passkeys, browserOf, rememberBrowser, rememberDevice, setSessionCookie }: PasskeyRoutesOptions,
): void {
  publicRoute(app, startPasskeyLogin, async ({ site, request, reply }) => {
    const { browser, keep } = rememberBrowser(request, reply, site);
    const network = networkOf(request.ip);
    const options = await beginSignIn(passkeys, { site, browser, network });
    keep();
    return { options };
  });

  publicRoute(app, finishPasskeyLogin, async ({ body, site, request, reply }) => {
    const { device, keep } = rememberDevice(request, reply, site);
    const { token, signedIn } = await signInWithPasskey(passkeys, {
      assertion: body.response,
      site,
      browser: browserOf(request, site),
      network: networkOf(request.ip),
      device,
    });
    addLogFields({ accountId: signedIn.accountId });
    setSessionCookie(reply, site, token);
    keep();
    return signedIn;
  });
}
