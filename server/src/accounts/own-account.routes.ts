import {
  changePassword as changePasswordCall,
  ownSecurity,
  PasswordChange,
} from '@pointgate/contract/own-account.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '../platform/errors.ts';
import { type Call, type CallSite, playerRoute } from '../platform/http.ts';
import { networkOf } from '../platform/network.ts';
import { selectWaysIn } from './accounts.queries.ts';
import { rememberDevice, sessionTokenOf } from './accounts.routes.ts';
import { sessionKeyOf, useEnvelopeOnce } from './accounts.ts';
import type { CredentialChecks } from './credentials.ts';
import { changePassword, hasTypedName, type TellOwner } from './own-password.ts';
import { passwordOf } from './owner-proof.ts';
import type { SealedBodies } from './sealed-body.ts';

export interface OwnAccountRoutesOptions {
  checks: CredentialChecks;
  sealedBodies: SealedBodies;
  tellOwner: TellOwner;
  /** Throws where the player has to show once more who they are. */
  requireProof: (request: FastifyRequest, site: CallSite) => Promise<void>;
  /** Gives the browser the session under its new token. */
  giveSession: (reply: FastifyReply, site: CallSite, token: string) => void;
}

/** What the owner of an account changes while signed in. */
export function registerOwnAccountRoutes(
  app: FastifyInstance,
  options: OwnAccountRoutesOptions,
): void {
  const { checks, tellOwner, giveSession } = options;

  playerRoute(app, ownSecurity, async ({ player: { accountId } }) => {
    const ways = await selectWaysIn(checks.db, accountId);
    return { hasPassword: passwordOf(ways) !== null, canHavePassword: hasTypedName(ways) };
  });

  playerRoute(app, changePasswordCall, async (call) => {
    const { payload, asking, requireProof, keep } = await open(options, call, {
      path: changePasswordCall.path,
      schema: PasswordChange,
    });
    const parts = { ...checks, tellOwner, requireProof };
    const { current, password } = payload;
    const token = await changePassword(parts, { ...asking, current, password });
    const { network, device, session } = asking;
    await checks.guard.succeeded({ accountId: session.accountId, network, device });
    giveSession(call.reply, call.site, token);
    keep();
    return {};
  });
}

/** What all changes have in common: an encrypted body, and somebody who asks. */
async function open<T>(
  { checks, sealedBodies, requireProof }: OwnAccountRoutesOptions,
  { body, site, request, reply }: Call<{ data: string; proof: string | null }>,
  { path, schema }: { path: string; schema: z.ZodMiniType<T> },
) {
  const { jti, payload } = await sealedBodies.open(body.data, path);
  const parsed = schema.safeParse(payload);
  if (!parsed.success) throw new AppError('InvalidParams');
  const network = networkOf(request.ip);
  const { device, keep } = rememberDevice(request, reply, site);
  const session = sessionKeyOf(sessionTokenOf(request, site), site.siteId);
  const consume = () => useEnvelopeOnce(checks, { jti, network });
  return {
    payload: parsed.data,
    asking: { session, network, device, proof: body.proof, consume },
    requireProof: () => requireProof(request, site),
    keep,
  };
}
