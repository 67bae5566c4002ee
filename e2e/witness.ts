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

/** Sees all that a browser sends while a stack runs, and looks for it where it must not be. */
export interface Witness {
  /** What only the test knows to be secret. */
  know(secrets: readonly Secret[]): void;
  /** All that was secret so far: of requests, of messages, and what the witness was told. */
  secrets(): Promise<Secret[]>;
  leaksOf(secrets: readonly Secret[], more?: readonly Place[]): Promise<Leak[]>;
  /** Looks for everything one last time and leaves word of it for the end of the run. */
  report(): Promise<void>;
  close(): void;
}

const root = join(import.meta.dirname, '..');
// One run, one folder: each of its workers is a child of the same process.
const reports = join(root, '.pointgate/e2e-witness', String(process.ppid));

export async function openWitness(given: {
  stack: Stack;
  browser: Browser;
  worker: number;
}): Promise<Witness> {
  const { stack, browser, worker } = given;
  // A process id comes round again: what lies there before the first worker is of an older run.
  if (worker === 0) await rm(reports, { recursive: true, force: true });
  const redis = stack.redisUrl === null ? undefined : await watchRedis(stack.redisUrl);
  const seen = watchRequests(browser, isOfPayment(stack));
  const told: Secret[] = demoSecrets(stack.players);
  const allSecrets = async () => {
    const { secrets } = await seen();
    return distinct([...told, ...secrets, ...(await messageSecrets(stack))]);
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
    know: (secrets) => told.push(...secrets),
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

/** What the workers that have ended in this run left word of. */
export async function readReports(): Promise<Report[]> {
  const files = await readdir(reports).catch(() => []);
  return await Promise.all(
    files.map(async (name) =>
      Report.parse(JSON.parse(await readFile(join(reports, name), 'utf8'))),
    ),
  );
}

/** Collects from every window, also from those that a test opens itself. */
function watchRequests(browser: Browser, isOpen: (address: URL) => boolean) {
  const secrets: Secret[] = [];
  const referers: string[] = [];
  const reading = new Set<Promise<void>>();
  const read = async (request: Request) => {
    // As they went over the wire, which is known only when the request is over.
    const headers = await request.allHeaders();
    if (headers.referer !== undefined) referers.push(headers.referer);
    const address = new URL(request.url());
    secrets.push(...secretsInHeaders(headers));
    if (!isOpen(address)) secrets.push(...secretsInAddress(address));
  };
  const note = (request: Request) => {
    // A page that was closed in the middle takes what it knew along.
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

/** Shorter ones are made up by tests of what is refused, and may be words. */
const lengthMin = 16;

function secretsInHeaders(headers: Record<string, string>): Secret[] {
  const [, session] = /(?:^|; )sid=[\da-f-]{36}\.([^;]+)/.exec(headers.cookie ?? '') ?? [];
  const [, away] = /(?:^|; )away=([^;]+)/.exec(headers.cookie ?? '') ?? [];
  const arrival = headers['x-token'];
  return present([
    { kind: 'a session', value: session },
    { kind: 'a browser that left', value: away },
    { kind: arrival?.startsWith('tk_') ? 'a ticket' : 'an arrival token', value: arrival },
    // Of a token the signature alone, too.
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
 * A cashier's `token` and `code` name a payment, at the cashier and in the address that leads back
 * from it: they open nothing, and the shop keeps them.
 */
function isOfPayment({ sandbox }: Stack): (address: URL) => boolean {
  const cashiers = new Set(paymentProviders.map((name) => new URL(sandbox[name]).origin));
  const names: readonly string[] = paymentProviders;
  return ({ origin, searchParams }) =>
    cashiers.has(origin) || names.includes(searchParams.get('via') ?? '');
}

const Messages = z.object({ messages: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Whom the shop wrote to, and the codes it wrote. */
async function messageSecrets({ sandbox }: Stack): Promise<Secret[]> {
  const boxes = await Promise.all(
    [sandbox.mail, sandbox.sms].map(async (url) => {
      const response = await fetch(`${url}/__sandbox/messages`);
      return Messages.parse(await response.json()).messages;
    }),
  );
  return boxes.flat().flatMap(({ to, text }) => [
    ...reachedAt(to),
    ...[...text.matchAll(/(?<!\d)\d{6}(?!\d)/g)].map(([code]) => ({
      kind: 'a code in a message',
      value: code,
    })),
  ]);
}

const Players = z.array(z.object({ email: z.string(), phone: z.string(), password: z.string() }));

/** The demo's seed says whom one can sign in as; nothing else does. */
const sign = 'log seed';

function demoSecrets(players: unknown): Secret[] {
  return Players.parse(players).flatMap(({ email, phone, password }) => [
    ...reachedAt(email),
    ...reachedAt(phone),
    { kind: 'a password', value: password, allowedIn: sign },
  ]);
}

/** An address, or a phone number: with its country and without. */
export function reachedAt(to: string): Secret[] {
  if (to.includes('@')) return [{ kind: 'an address', value: to, allowedIn: sign }];
  return [to, to.slice(-10)].map((value) => ({ kind: 'a phone number', value, allowedIn: sign }));
}

function distinct(secrets: readonly Secret[]): Secret[] {
  return [...new Map(secrets.map((secret) => [secret.value, secret])).values()];
}
