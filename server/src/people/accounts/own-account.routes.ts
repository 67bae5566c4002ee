import {
  AddressChange,
  AddressCodeRequest,
  AddressRemoval,
  changeAddress as changeAddressCall,
  changePassword as changePasswordCall,
  makeRecoveryCodes as makeRecoveryCodesCall,
  ownSecurity,
  PasswordChange,
  RecoveryCodesMaking,
  removeAddress as removeAddressCall,
  sendAddressCode,
} from '@pointgate/contract/own-account.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '../../platform/errors.ts';
import { type Call, type CallSite, playerRoute } from '../../platform/http.ts';
import { networkOf } from '../../platform/network.ts';
import { rememberDevice, sessionTokenOf } from './accounts.routes.ts';
import { sessionKeyOf, useEnvelopeOnce } from './accounts.ts';
import type { Codes, Target } from './codes.ts';
import type { CredentialChecks } from './credentials.ts';
import { changeAddress, linking, removeAddress } from './own-addresses.ts';
import { changePassword } from './own-password.ts';
import { type Masks, securityOf } from './own-security.ts';
import type { TellOwner } from './owner-proof.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import type { SealedBodies } from './sealed-body.ts';

type Gate = (request: FastifyRequest, site: CallSite) => Promise<void>;

export interface OwnAccountRoutesOptions {
  checks: CredentialChecks;
  sealedBodies: SealedBodies;
  tellOwner: TellOwner;
  masks: Masks;
  titleOf: (siteId: string) => Promise<string>;
  /** Throws if the player has to step up first. */
  requireProof: Gate;
  /** The same, but only for a player with a passkey. */
  requirePasskey: Gate;
  /** Sets the session cookie with the new token. */
  giveSession: (reply: FastifyReply, site: CallSite, token: string) => void;
}

/** Routes with which a signed-in owner changes sign-in methods. */
export function registerOwnAccountRoutes(
  app: FastifyInstance,
  options: OwnAccountRoutesOptions,
): void {
  const { checks, masks, titleOf, giveSession } = options;

  playerRoute(app, ownSecurity, ({ player }) => securityOf(checks, masks, player.accountId));

  playerRoute(app, changePasswordCall, async (call) => {
    const { parts, asking, keep, payload } = await open(options, call, {
      path: changePasswordCall.path,
      schema: PasswordChange,
    });
    const token = await changePassword(parts, { ...asking, ...payload });
    const { network, device, session } = asking;
    await checks.guard.succeeded({ accountId: session.accountId, network, device });
    giveSession(call.reply, call.site, token);
    keep();
    return {};
  });

  playerRoute(app, sendAddressCode, async (call) => {
    const { asking, payload } = await open(options, call, {
      path: sendAddressCode.path,
      schema: AddressCodeRequest,
    });
    await asking.consume();
    const target = targetOf(checks.codes, payload.address);
    return await checks.codes.send({
      ...linking(target, asking.session),
      target,
      wantedBy: asking.session.accountId,
      network: asking.network,
      proof: asking.proof,
      locale: call.locale,
      siteTitle: await titleOf(call.site.siteId),
    });
  });

  playerRoute(app, changeAddressCall, async (call) => {
    const { parts, asking, payload } = await open(options, call, {
      path: changeAddressCall.path,
      schema: AddressChange,
    });
    const { address, code, current } = payload;
    const target = targetOf(checks.codes, address);
    await changeAddress(parts, { ...asking, current, target, code, locale: call.locale });
    return {};
  });

  playerRoute(app, removeAddressCall, async (call) => {
    const { parts, asking, payload } = await open(options, call, {
      path: removeAddressCall.path,
      schema: AddressRemoval,
    });
    await removeAddress(parts, { ...asking, ...payload, locale: call.locale });
    return {};
  });

  playerRoute(app, makeRecoveryCodesCall, async (call) => {
    const { parts, asking, payload } = await open(options, call, {
      path: makeRecoveryCodesCall.path,
      schema: RecoveryCodesMaking,
    });
    return { codes: await makeRecoveryCodes(parts, { ...asking, ...payload }) };
  });
}

/** The common part of all changes: an encrypted body and its session. */
async function open<T>(
  { checks, sealedBodies, tellOwner, requireProof, requirePasskey }: OwnAccountRoutesOptions,
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
    parts: {
      ...checks,
      tellOwner,
      requireProof: () => requireProof(request, site),
      requirePasskey: () => requirePasskey(request, site),
    },
    keep,
  };
}

function targetOf(codes: Codes, address: { email: string } | { phone: string }): Target {
  if ('email' in address) return { kind: 'mail', to: address.email.toLowerCase() };
  const { number, country } = codes.phoneOf(address.phone);
  return { kind: 'text', to: number, country };
}
