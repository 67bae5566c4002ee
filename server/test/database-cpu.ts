import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Db, sql } from '../src/platform/db.ts';

// Linux counts the time of processes in hundredths of a second.
const msPerTick = 10;

/** The processor time used by all processes of this PostgreSQL so far. Linux only. */
export async function databaseCpuMs(db: Db): Promise<number> {
  const { pid } = await db.one(z.object({ pid: z.int() }), sql`select pg_backend_pid() as pid`);
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? []);
  const server = all.find((one) => one.pid === pid)?.parent;
  const main = all.find((one) => one.pid === server);
  if (main === undefined) throw new Error('PostgreSQL does not run on this machine');
  const ticks = all
    .filter(({ parent }) => parent === server)
    .reduce((sum, { own }) => sum + own, main.own + main.ended);
  return ticks * msPerTick;
}

function statOf(name: string) {
  let text: string;
  try {
    text = readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch {
    return undefined; // The process has ended meanwhile.
  }
  // The program name is in brackets and may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (place: number) => fields[place - 3] ?? 0;
  return { pid: Number(name), parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
}
