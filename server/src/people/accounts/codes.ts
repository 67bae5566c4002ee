import { createHmac, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CodePurpose } from '@pointgate/contract/codes.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { countDown, type Use, useLimits } from '../../platform/limits.ts';
import { log } from '../../platform/log.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { selectIdentity } from './accounts.queries.ts';
import {
  deleteCode,
  deleteOldCodes,
  deleteOldProofs,
  insertUsedProof,
  tryCode,
  upsertCode,
} from './codes.queries.ts';
import type { HumanProofs } from './human-proof.ts';
import type { IdentityKeyOf } from './identity-keys.ts';
import { type Phone, readPhone } from './phones.ts';
import type { SignInGuard } from './sign-in-guard.ts';

/** Sends codes; the providers are not known here. */
export interface CodeMessages {
  canMail: boolean;
  canText(phone: string): boolean;
  mailCode(message: CodeMessage): Promise<SendResult>;
  textCode(message: CodeMessage): Promise<SendResult>;
}

interface CodeMessage {
  to: string;
  code: string;
  minutes: number;
  locale: Locale;
  siteTitle: string;
}

type SendResult = 'sent' | 'refused' | 'unknown';

export interface CodesOptions {
  db: Db;
  messages: CodeMessages;
  proofs: HumanProofs;
  identityKeyOf: IdentityKeyOf;
  isKnownNetwork: SignInGuard['isKnownNetwork'];
  /** The HMAC key of codes, so that a leaked database does not allow brute force of six digits. */
  pepper: string;
  /** Countries that text messages are sent to. */
  countries: readonly string[];
  textsPerDayMax: number;
  textsUnansweredMax: number;
  now: () => number;
}

export interface CodeRequest {
  purpose: CodePurpose;
  target: Target;
  network: string;
  /** The requesting browser: the code works in this browser only. */
  browser: string;
  proof: string | null;
  locale: Locale;
  siteTitle: string;
  /**
   * The account that wants to add the target: the code is sent even if the target has no account.
   */
  wantedBy?: string;
}

/** Where a code goes: a mail address in lower case, or a phone. */
export type Target = { kind: 'mail'; to: string } | { kind: 'text'; to: string; country: string };

interface CodeGuess {
  purpose: CodePurpose;
  to: string;
  code: string;
  browser: string | undefined;
}

export interface Codes {
  /**
   * Sends a code and answers when the next one can be requested. The answer does not depend on
   * whether the target has an account, and comes before the message is sent. Without an account no
   * message is sent.
   */
  send(request: CodeRequest): Promise<{ nextInSeconds: number }>;
  /**
   * True once for the right code in the browser that requested it. The caller must commit a false
   * answer, because it counts as an attempt.
   */
  use(tx: Tx, guess: CodeGuess): Promise<boolean>;
  /** Reads a number that can receive codes; throws for any other. */
  phoneOf(text: string): Phone;
  forgetOld(): Promise<void>;
  /** Waits until all pending messages are sent. */
  settle(): Promise<void>;
}

const codeMinutes = 5;
const sendsAfterMs = 100;
const secondsBetweenSends = 60;
const sendsPerDayMax = 10;
const sendsPerNetworkMax = 50;
const textsPerPrefixMax = 10;
const triesMax = 5;
const daySeconds = 24 * 60 * 60;
/**
 * One answered text offsets three unanswered: more than a quarter of genuine codes are answered.
 */
const answerWeight = 3;

export function openCodes(options: CodesOptions): Codes {
  const { db, messages, now } = options;
  const sending = new Set<Promise<void>>();
  const keyed = (...parts: string[]) =>
    createHmac('sha256', options.pepper).update(parts.join('|')).digest();
  // Each browser has a code and attempts of its own, so that requests and guesses of others do not
  // affect the player's code.
  const targetHash = (purpose: CodePurpose, to: string, browser: string) =>
    keyed('target', purpose, to, browser);

  const deliver = (target: Target, message: CodeMessage) => {
    // Sending slows the answer down on a busy machine, which would reveal that the account exists.
    // It therefore starts well after the answer.
    const leaving = pause(sendsAfterMs)
      .then(() => sendVia(messages, target, message))
      .finally(() => sending.delete(leaving));
    sending.add(leaving);
  };

  return {
    send: async (request) => {
      const { purpose, target, network, browser } = request;
      requireWayOut(messages, target);
      const proof = request.proof === null ? undefined : await options.proofs.check(request.proof);
      const identity = options.identityKeyOf({
        accountType: target.kind === 'mail' ? 'EMAIL' : 'MOBILE',
        subject: target.to,
      });
      const account = await selectIdentity(db, identity);
      const accountId = request.wantedBy ?? account?.account_id;
      const isKnown = await options.isKnownNetwork({ accountId, network });
      const limits = limitsOf(request, options, {
        home: isKnown ? network : 'strangers',
        cost: accountId === undefined ? 0 : 1,
        hashOf: (text) => keyed('limit', text).toString('base64url'),
      });
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await db.transaction(async (tx) => {
        const at = new Date(now());
        const counts = await useLimits(tx, limits.all, at);
        if (counts === undefined) throw new AppError('AuthCodeSendTooFrequently');
        const isFirst = limits.firstIsFree.every((key) => counts.get(key) === 1);
        if (!isFirst) {
          const isProven = proof !== undefined && (await insertUsedProof(tx, proof));
          if (!isProven) throw new AppError('HumanProofNeeded');
        }
        await upsertCode(tx, {
          purpose,
          targetHash: targetHash(purpose, target.to, browser),
          codeHash: keyed('code', purpose, target.to, code),
          expiresAt: new Date(at.getTime() + codeMinutes * 60_000),
        });
      });
      const { locale, siteTitle } = request;
      if (accountId !== undefined) {
        deliver(target, { to: target.to, code, minutes: codeMinutes, locale, siteTitle });
      }
      return { nextInSeconds: secondsBetweenSends };
    },

    use: async (tx, { purpose, to, code, browser }) => {
      if (browser === undefined) return false;
      const at = new Date(now());
      const key = { purpose, targetHash: targetHash(purpose, to, browser) };
      const codeHash = keyed('code', purpose, to, code);
      const tried = await tryCode(tx, { ...key, codeHash, triesMax, now: at });
      if (tried?.is_right !== true) return false;
      await deleteCode(tx, key);
      const phone = readPhone(to, options.countries);
      if (phone !== undefined) {
        const answered = unansweredKeys(phone, (text) =>
          keyed('limit', text).toString('base64url'),
        );
        const counted = Object.values(answered).map((counter) => ({
          key: counter,
          by: answerWeight,
        }));
        await countDown(tx, counted, at);
      }
      return true;
    },

    phoneOf: (text) => {
      const phone = readPhone(text, options.countries);
      if (phone === undefined) throw new AppError('InvalidParams');
      return phone;
    },

    forgetOld: async () => {
      const moment = new Date(now());
      await deleteInBatches(db, deleteOldCodes(moment), deleteOldProofs(moment));
    },

    settle: async () => {
      await Promise.all(sending);
    },
  };
}

function requireWayOut(messages: CodeMessages, target: Target): void {
  const canSend = target.kind === 'mail' ? messages.canMail : messages.canText(target.to);
  if (!canSend) throw new AppError('SystemBusy');
}

/**
 * All limits of a request. A known network of the account has its own limits per target, which
 * strangers cannot use up. The limits on costs are checked for every number, but only numbers that
 * get a message count, so that invented numbers cannot use them up.
 */
function limitsOf(
  { target, network }: CodeRequest,
  options: CodesOptions,
  { home, cost, hashOf }: { home: string; cost: 0 | 1; hashOf: (text: string) => string },
): { all: Use[]; firstIsFree: string[] } {
  const perTarget = `code:target:${home}:${hashOf(target.to)}`;
  const perNetwork = `code:network:${network}`;
  const all: Use[] = [
    { key: `code:wait:${home}:${hashOf(target.to)}`, max: 1, seconds: secondsBetweenSends },
    { key: perTarget, max: sendsPerDayMax, seconds: daySeconds },
    { key: perNetwork, max: sendsPerNetworkMax, seconds: daySeconds },
  ];
  if (target.kind === 'text') {
    const { prefix, country, everywhere } = unansweredKeys(
      { number: target.to, country: target.country },
      hashOf,
    );
    const unanswered = options.textsUnansweredMax;
    const guardsTheBill = [
      { key: prefix, max: textsPerPrefixMax },
      { key: country, max: Math.ceil(unanswered / 2) },
      { key: everywhere, max: unanswered },
      { key: 'text:budget', max: options.textsPerDayMax },
    ];
    all.push(...guardsTheBill.map((limit) => ({ ...limit, seconds: daySeconds, cost })));
  }
  return { all, firstIsFree: [perTarget, perNetwork] };
}

/**
 * Keys of the counters of unanswered texts, against SMS pumping: an attacker who earns from texts
 * has them sent to many numbers and never enters the codes.
 */
function unansweredKeys({ number, country }: Phone, hashOf: (text: string) => string) {
  return {
    prefix: `text:prefix:${hashOf(number.slice(0, -4))}`,
    country: `text:country:${country}`,
    everywhere: 'text:everywhere',
  };
}

/** Never retries: the player requests another code if none arrives. */
async function sendVia(
  messages: CodeMessages,
  target: Target,
  message: CodeMessage,
): Promise<void> {
  try {
    const result = await (target.kind === 'mail'
      ? messages.mailCode(message)
      : messages.textCode(message));
    if (result !== 'sent') log.warn({ kind: target.kind, result }, 'a code may not have arrived');
  } catch (error) {
    // Logs the name of the error only: its message may contain the number.
    const cause = error instanceof Error ? error.name : 'unknown';
    log.error({ cause, kind: target.kind }, 'a code was not sent');
  }
}
