import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Request } from '@playwright/test';
import { z } from 'zod';
import { dumpDatabase } from '../tools/evidence/database.ts';
import { findLeaks, type Leak, type Place, type Secret } from '../tools/evidence/find-leaks.ts';
import { readLogs } from '../tools/evidence/logs.ts';
import { dumpRedis, watchRedis } from '../tools/evidence/redis.ts';
import { paymentProviders } from '../tools/stack/payment-providers.ts';
import type { Stack } from '../tools/stack/start-stack.ts';

/**
 * Collects the secrets that browsers send while a stack runs, and searches logs and stores for
 * them.
 */
export interface LeakDetector {
  /** Adds secrets that only the test knows. */
  addSecrets(secrets: readonly Secret[]): void;
  /** All secrets so far: from requests, from messages, and those added by tests. */
  secrets(): Promise<Secret[]>;
  leaksOf(secrets: readonly Secret[], more?: readonly Place[]): Promise<Leak[]>;
  /** Searches for all secrets and writes a report, which leaked-secrets.spec.ts reads. */
  report(): Promise<void>;
  close(): void;
}

const root = join(import.meta.dirname, '..');
// One folder for each run: all its workers have the same parent process.
const reports = join(root, '.pointgate/e2e-leaks', String(process.ppid));

export async function openLeakDetector(given: {
  stack: Stack;
  browser: Browser;
  worker: number;
}): Promise<LeakDetector> {
  const { stack, browser, worker } = given;
  // Process ids are reused: files from before the first worker belong to an older run.
  if (worker === 0) await rm(reports, { recursive: true, force: true });
  const redis = stack.redisUrl === null ? undefined : await watchRedis(stack.redisUrl);
  const seen = watchRequests(browser, isOfPayment(stack));
  const addedSecrets: Secret[] = demoSecrets(stack.players);
  const allSecrets = async () => {
    const { secrets } = await seen();
    return distinct([...addedSecrets, ...secrets, ...(await messageSecrets(stack))]);
  };
  const leaksOf = async (secrets: readonly Secret[], more: readonly Place[] = []) => {
    const { referers } = await seen();
    const places = [
      { name: 'referers', text: referers.join('\n') },
      ...(await readLogs(stack.home)),
      ...(await dumpDatabase(stack.databaseUrl)),
      ...(stack.redisUrl === null ? [] : [await dumpRedis(stack.redisUrl)]),
      ...(redis === undefined ? [] : [redis.seen()]),
      ...more,
    ];
    return findLeaks(places, secrets);
  };
  return {
    addSecrets: (secrets) => addedSecrets.push(...secrets),
    secrets: allSecrets,
    leaksOf,
    report: async () => {
      const secrets = await allSecrets();
      const kinds = [...new Set(secrets.map(({ kind }) => kind))];
      const report: Report = { kinds, leaks: await leaksOf(secrets) };
      await mkdir(reports, { recursive: true });
      await writeFile(join(reports, `${worker}.json`), JSON.stringify(report));
    },
    close: () => redis?.stop(),
  };
}

type Report = z.output<typeof Report>;
const Report = z.object({
  kinds: z.array(z.string()),
  leaks: z.array(z.object({ place: z.string(), kind: z.string(), form: z.string() })),
});

/** The reports of the workers that have ended in this run. */
export async function readReports(): Promise<Report[]> {
  const files = await readdir(reports).catch(() => []);
  return await Promise.all(
    files.map(async (name) =>
      Report.parse(JSON.parse(await readFile(join(reports, name), 'utf8'))),
    ),
  );
}

/** Collects from every browser context, including those that a test opens itself. */
function watchRequests(browser: Browser, isOpen: (address: URL) => boolean) {
  const secrets: Secret[] = [];
  const referers: string[] = [];
  const reading = new Set<Promise<void>>();
  const read = async (request: Request) => {
    // The headers actually sent, which are known only after the request.
    const headers = await request.allHeaders();
    if (headers.referer !== undefined) referers.push(headers.referer);
    const address = new URL(request.url());
    secrets.push(...secretsInHeaders(headers));
    if (!isOpen(address)) secrets.push(...secretsInAddress(address));
  };
  const note = (request: Request) => {
    // The headers of a request are lost if its page was closed meanwhile.
    const one = read(request)
      .catch(() => {})
      .finally(() => reading.delete(one));
    reading.add(one);
  };
  browser.on('context', (context) => context.on('requestfinished', note).on('requestfailed', note));
  return async () => {
    await Promise.all(reading);
    return { secrets, referers };
  };
}

const inAddress = {
  code: 'a code of a provider',
  token: 'an arrival token',
  ticket: 'a ticket',
  handoff: 'a handoff',
};

/** Shorter values come from tests of refused input and may be ordinary words. */
const lengthMin = 16;

function secretsInHeaders(headers: Record<string, string>): Secret[] {
  const [, session] = /(?:^|; )sid=[\da-f-]{36}\.([^;]+)/.exec(headers.cookie ?? '') ?? [];
  const [, away] = /(?:^|; )away=([^;]+)/.exec(headers.cookie ?? '') ?? [];
  const arrival = headers['x-token'];
  return present([
    { kind: 'a session', value: session },
    { kind: 'a browser that left', value: away },
    { kind: arrival?.startsWith('tk_') ? 'a ticket' : 'an arrival token', value: arrival },
    // The signature part of a token by itself.
    { kind: 'an arrival token', value: arrival?.split('.')[2] },
  ]);
}

function secretsInAddress(address: URL): Secret[] {
  const { searchParams } = address;
  return present(
    Object.entries(inAddress).map(([name, kind]) => ({
      kind,
      value: searchParams.get(name) ?? undefined,
    })),
  );
}

function present(found: readonly { kind: string; value: string | undefined }[]): Secret[] {
  return found.flatMap(({ kind, value }) =>
    value === undefined || value.length < lengthMin ? [] : [{ kind, value }],
  );
}

/**
 * Whether a URL belongs to a payment page or returns from it. Its `token` and `code` are payment
 * ids and no secrets, and the shop stores them.
 */
function isOfPayment({ sandbox }: Stack): (address: URL) => boolean {
  const cashiers = new Set(paymentProviders.map((name) => new URL(sandbox[name]).origin));
  const names: readonly string[] = paymentProviders;
  return ({ origin, searchParams }) =>
    cashiers.has(origin) || names.includes(searchParams.get('via') ?? '');
}

const Messages = z.object({ messages: z.array(z.object({ to: z.string(), text: z.string() })) });

/** The recipients and one-time codes of the shop's mails and SMS. */
async function messageSecrets({ sandbox }: Stack): Promise<Secret[]> {
  const boxes = await Promise.all(
    [sandbox.mail, sandbox.sms].map(async (url) => {
      const response = await fetch(`${url}/__sandbox/messages`);
      return Messages.parse(await response.json()).messages;
    }),
  );
  return boxes.flat().flatMap(({ to, text }) => [
    ...contactSecrets(to),
    ...[...text.matchAll(/(?<!\d)\d{6}(?!\d)/g)].map(([code]) => ({
      kind: 'a code in a message',
      value: code,
    })),
  ]);
}

const Players = z.array(z.object({ email: z.string(), phone: z.string(), password: z.string() }));

/** The log of the demo's seed may contain the demo players; no other log may. */
const sign = 'log seed';

function demoSecrets(players: unknown): Secret[] {
  return Players.parse(players).flatMap(({ email, phone, password }) => [
    ...contactSecrets(email),
    ...contactSecrets(phone),
    { kind: 'a password', value: password, allowedIn: sign },
  ]);
}

/** An email address, or a phone number with and without its country code. */
export function contactSecrets(to: string): Secret[] {
  if (to.includes('@')) return [{ kind: 'an address', value: to, allowedIn: sign }];
  return [to, to.slice(-10)].map((value) => ({ kind: 'a phone number', value, allowedIn: sign }));
}

function distinct(secrets: readonly Secret[]): Secret[] {
  return [...new Map(secrets.map((secret) => [secret.value, secret])).values()];
}
