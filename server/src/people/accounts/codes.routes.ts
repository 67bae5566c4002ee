import {
  humanChallenge,
  PhoneCodeRequest,
  sendEmailCode,
  sendPhoneCode,
} from '@pointgate/contract/codes.ts';
import {
  EmailPasswordReset,
  type PasskeyReview,
  PhonePasswordReset,
  RecoveryPasswordReset,
  resetPasswordByEmail,
  resetPasswordByPhone,
  resetPasswordByRecoveryCode,
} from '@pointgate/contract/passwords.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '../../platform/errors.ts';
import { type Call, type CallSite, publicRoute } from '../../platform/http.ts';
import { networkOf } from '../../platform/network.ts';
import { rememberDevice } from './accounts.routes.ts';
import { useEnvelopeOnce } from './accounts.ts';
import type { CredentialChecks } from './credentials.ts';
import { type OnReset, resetPassword } from './passwords.ts';
import { suitsPurpose } from './phones.ts';
import { resetByRecoveryCode } from './recovery-codes.ts';
import type { SealedBodies } from './sealed-body.ts';

export interface CodeRoutesOptions {
  checks: CredentialChecks;
  /** Answers the passkeys that the player has to review. */
  onReset: OnReset<PasskeyReview>;
  sealedBodies: SealedBodies;
  titleOf: (siteId: string) => Promise<string>;
  /** The secret of the browser that requested a code, from its cookie. */
  browserOf: (request: FastifyRequest, site: CallSite) => string | undefined;
  rememberBrowser: (
    request: FastifyRequest,
    reply: FastifyReply,
    site: CallSite,
  ) => { browser: string; keep: () => void };
  sessionsChanged: (accountId: string) => void;
}

// Creating a challenge costs one key derivation, so it is limited.
const challengesPerNetwork = { max: 120, seconds: 60 };

export function registerCodeRoutes(app: FastifyInstance, options: CodeRoutesOptions): void {
  const { checks, onReset, sealedBodies, titleOf, browserOf, rememberBrowser, sessionsChanged } =
    options;
  const { codes, proofs, quickLimits } = checks;
  const read = async <T>(
    schema: z.ZodMiniType<T>,
    { data, path, ip }: { data: string; path: string; ip: string },
  ) => {
    const { jti, payload } = await sealedBodies.open(data, path);
    const parsed = schema.safeParse(payload);
    if (!parsed.success) throw new AppError('InvalidParams');
    const consume = () => useEnvelopeOnce(checks, { jti, network: networkOf(ip) });
    return { payload: parsed.data, consume };
  };
  const open = async <T>(
    schema: z.ZodMiniType<T>,
    sealed: { data: string; path: string; ip: string },
  ): Promise<T> => {
    const { payload, consume } = await read(schema, sealed);
    await consume();
    return payload;
  };

  publicRoute(app, humanChallenge, async ({ request }) => {
    const key = `challenge:${networkOf(request.ip)}`;
    const isAllowed = await quickLimits.take({ key, ...challengesPerNetwork });
    if (!isAllowed) throw new AppError('AuthCodeSendTooFrequently');
    return await proofs.challenge();
  });

  publicRoute(app, sendEmailCode, async ({ body, site, locale, request, reply }) => {
    const { browser, keep } = rememberBrowser(request, reply, site);
    const sent = await codes.send({
      browser,
      purpose: body.purpose,
      target: { kind: 'mail', to: body.email.toLowerCase() },
      network: networkOf(request.ip),
      proof: body.proof,
      locale,
      siteTitle: await titleOf(site.siteId),
    });
    keep();
    return sent;
  });

  publicRoute(app, sendPhoneCode, async ({ body, site, locale, request, reply }) => {
    const asked = await open(PhoneCodeRequest, {
      data: body.data,
      path: sendPhoneCode.path,
      ip: request.ip,
    });
    const { number, country } = codes.phoneOf(asked.phone);
    if (!suitsPurpose(number, asked.purpose)) throw new AppError('InvalidParams');
    const { browser, keep } = rememberBrowser(request, reply, site);
    const sent = await codes.send({
      browser,
      purpose: asked.purpose,
      target: { kind: 'text', to: number, country },
      network: networkOf(request.ip),
      proof: asked.proof,
      locale,
      siteTitle: await titleOf(site.siteId),
    });
    keep();
    return sent;
  });

  /** The common part of both password resets, after the body is decrypted. */
  const reset = async (
    { site, locale, request, reply }: Call<unknown>,
    asked: Pick<
      Parameters<typeof resetPassword>[1],
      'accountType' | 'subject' | 'purpose' | 'code' | 'password'
    >,
  ) => {
    const { device, keep } = rememberDevice(request, reply, site);
    const { accountId, followed: review } = await resetPassword(
      { ...checks, onReset },
      {
        ...asked,
        siteId: site.siteId,
        network: networkOf(request.ip),
        device,
        locale,
        browser: browserOf(request, site),
      },
    );
    keep();
    sessionsChanged(accountId);
    return { review };
  };

  publicRoute(app, resetPasswordByEmail, async (call) => {
    const { email, code, password } = await open(EmailPasswordReset, {
      data: call.body.data,
      path: resetPasswordByEmail.path,
      ip: call.request.ip,
    });
    const purpose = 'password_forget_email';
    const subject = email.toLowerCase();
    return await reset(call, { accountType: 'EMAIL', subject, purpose, code, password });
  });

  publicRoute(app, resetPasswordByPhone, async (call) => {
    const { phone, code, password } = await open(PhonePasswordReset, {
      data: call.body.data,
      path: resetPasswordByPhone.path,
      ip: call.request.ip,
    });
    const purpose = 'password_forget_phone';
    return await reset(call, { accountType: 'MOBILE', subject: phone, purpose, code, password });
  });
  publicRoute(app, resetPasswordByRecoveryCode, async ({ body, site, request, reply }) => {
    const { payload, consume } = await read(RecoveryPasswordReset, {
      data: body.data,
      path: resetPasswordByRecoveryCode.path,
      ip: request.ip,
    });
    const { device, keep } = rememberDevice(request, reply, site);
    const { accountId, followed: review } = await resetByRecoveryCode(
      { ...checks, onReset },
      {
        ...payload,
        consume,
        proof: body.proof,
        siteId: site.siteId,
        network: networkOf(request.ip),
        device,
      },
    );
    keep();
    sessionsChanged(accountId);
    return { review };
  });
}
