import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

// The interface to the auditor, a separate program that shares no code with the server.

export const Month = z.object({ month: z.string(), state: z.string(), orders: z.int() });
const NotAsked = z.object({ party: z.string(), reason: z.string() });
export const Finding = z.object({
  id: z.string(),
  claim: z.string(),
  checked: z.int(),
  broken: z.int(),
  violations: z.array(z.string()),
  /** Missing in audits stored before games and providers were asked. */
  notAsked: z.array(NotAsked).default([]),
});
const Progress = z.object({ part: z.string(), done: z.int(), perSecond: z.int() });
const Audit = z.object({
  findings: z.array(Finding),
  months: z.array(Month),
  rowsHeldMax: z.int(),
  isGreen: z.boolean(),
  notAsked: z.array(NotAsked),
  report: z.string(),
});
const Line = z.union([
  z.strictObject({ progress: Progress }),
  z.strictObject({ audit: Audit }),
  z.strictObject({ failure: z.string() }),
]);

export type Progress = z.output<typeof Progress>;

/** A game that can list its deliveries, with the secrets to sign the call. */
interface AskedGame {
  gameId: string;
  apiUrl: string;
  secret: string;
  isSandbox: boolean;
}

/** A provider account that can list captures and refunds, with its credentials. */
type AskedAccount = { name: string; url: string } & (
  | { provider: 'stripe'; secretKey: string }
  | {
      provider: 'paypal';
      clientId: string;
      clientSecret: string;
      route?: { host: string; port: number; rootCertificate: string };
    }
);

export interface Question {
  databaseUrl: string;
  /** In the form `2026-10`; null means all months. */
  months: readonly string[] | null;
  games: readonly AskedGame[];
  accounts: readonly AskedAccount[];
}

type End = { audit: z.output<typeof Audit> } | { failure: string };

const program = fileURLToPath(new URL('../../../../auditor/src/audit.ts', import.meta.url));

/** Addresses and keys are passed on standard input, because other users can read arguments. */
export async function runAuditor(
  question: Question,
  onProgress: (progress: Progress) => void,
): Promise<End> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  child.stdin.end(JSON.stringify(question));
  let end: End | undefined;
  for await (const text of createInterface({ input: child.stdout })) {
    const line = Line.parse(JSON.parse(text));
    if ('progress' in line) onProgress(line.progress);
    else end = line;
  }
  await ended;
  return end ?? { failure: 'the auditor ended without an answer' };
}
