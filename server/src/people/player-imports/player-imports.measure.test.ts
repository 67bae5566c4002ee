import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { demoGame } from '../../../test/demo.ts';
import { oldHash, playerLine } from '../../../test/player-files.ts';
import { shopEnvironment } from '../../../test/processes.ts';
import { givenPlayer, openTestShop, seal, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

// biome-ignore lint/style/noProcessEnv: the size of a measurement
const lineCount = Number(process.env.IMPORT_LINES || 2_000_000);
const killCount = 10;
const signInMsMax = 300;

test('an import that is killed ten times stores each of two million players once, and players sign in meanwhile', async () => {
  const file = await writePlayers();
  const times: number[] = [];
  const over = new AbortController();
  const signIns = signInUntil(over.signal, times);
  const begunAt = performance.now();
  const moments = Array.from({ length: killCount }, () => Math.random() * lineCount);
  for (const lines of moments.toSorted((one, other) => one - other)) {
    const { child, ended } = startImport(file);
    await untilStored(lines, child);
    child.kill('SIGKILL');
    await ended;
  }
  const { ended } = startImport(file);
  expect(await ended).toBe(0);
  const seconds = (performance.now() - begunAt) / 1000;
  over.abort();
  await signIns;

  expect(await wholePlayers()).toBe(lineCount);
  const p95 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0;
  console.log({ lineCount, seconds, perSecond: lineCount / seconds, signIns: times.length, p95 });
  expect(p95).toBeLessThan(signInMsMax);
}, 3_600_000);

const nameOf = (index: number) => `n-${index}`;

async function writePlayers(): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'pointgate-test-')), 'players.ndjson');
  const out = createWriteStream(file);
  for (let index = 0; index < lineCount; index += 1) {
    const line = JSON.stringify({ ...playerLine(nameOf(index), index), password: oldHash });
    if (!out.write(`${line}\n`)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
  return file;
}

function startImport(file: string): { child: ChildProcess; ended: Promise<unknown> } {
  const args = [join(import.meta.dirname, '../../operate.ts'), 'import-players', file];
  const child = spawn(process.execPath, [...args, '--by', 'ines'], {
    env: { ...shopEnvironment(shop), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { child, ended: once(child, 'exit').then(([status]) => status) };
}

async function untilStored(lines: number, child: ChildProcess): Promise<void> {
  const Row = z.object({ lines: z.bigint() });
  while (child.exitCode === null) {
    const row = await shop.db.maybeOne(Row, sql`select lines from player_imports`);
    if (Number(row?.lines ?? 0) >= lines - 5_000) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // Somewhere within the next batches.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 2_000));
}

async function signInUntil(over: AbortSignal, times: number[]): Promise<void> {
  const path = '/api/user/login';
  while (!over.aborted) {
    const { loginName, password } = await givenPlayer(shop);
    const method = 'LOGIN_NAME_PASSWD_AUTH';
    const data = await seal(shop, path, { method, loginName, password });
    const begunAt = performance.now();
    expect(await send(shop, path, { body: { data } })).toMatchObject({ isSuccess: true });
    times.push(performance.now() - begunAt);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The players of the file whose three names and game account lead to one account. */
async function wholePlayers(): Promise<number> {
  const session = await shop.openSession();
  const { rows } = await session.execute(
    `select count(*)::int as count
     from (
       select account_id, min(subject) filter (where account_type = 'ACCOUNT') as name
       from identities group by account_id having count(*) = 3
     ) as owners
     join game_accounts using (account_id)
     where game_id = $1 and game_account_id = 'p-' || name`,
    [demoGame.id],
  );
  await session.close();
  return z.tuple([z.object({ count: z.int() })]).parse(rows)[0].count;
}
