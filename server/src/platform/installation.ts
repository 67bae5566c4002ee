import { z } from 'zod';
import type { Session } from './connections.ts';
import { type Db, sql } from './db.ts';

/**
 * The kinds of installations. A rehearsal is production in everything but money: its payment
 * providers take test payments, and only those.
 */
export const stages = ['development', 'rehearsal', 'production'] as const;
export type Stage = (typeof stages)[number];

/** A database of another stage, or of none. Its message needs no stack trace. */
export class OtherStage extends Error {}

/** Throws if the database belongs to another stage, or was not migrated since stages exist. */
export async function checkStage(db: Db, own: Stage): Promise<void> {
  const complaint = stageComplaint(await selectStage(db), own);
  if (complaint !== undefined) throw new OtherStage(`DATABASE_URL: ${complaint}`);
}

/** Why a program of this stage refuses the database, and what to do. */
export function stageComplaint(found: Stage | undefined, own: Stage): string | undefined {
  if (found === undefined) return 'the database has no stage: run migrate first';
  if (found === own) return undefined;
  return `the database belongs to ${nameOf(found)}, for good, but APP_ENV is ${own}: set APP_ENV=${found}, or name a database of ${nameOf(own)}; a new one is an empty database after migrate`;
}

const nameOf = (stage: Stage) => (stage === 'rehearsal' ? 'a rehearsal' : stage);

const Stored = z.object({ stage: z.enum(stages) });

export async function selectStage(db: Db): Promise<Stage | undefined> {
  const { is_there: isThere } = await db.one(
    z.object({ is_there: z.boolean() }),
    sql`select to_regclass('public.installation') is not null as is_there`,
  );
  if (!isThere) return undefined;
  const [row] = await db.many(Stored, sql`select stage from installation`);
  return row?.stage;
}

/** Refuses to migrate a database of another stage. One without a stage passes. */
export async function refuseOtherStage(session: Session, own: Stage): Promise<void> {
  if (!(await isThere(session, 'installation'))) return;
  const found = await stageOf(session);
  if (found !== undefined) complainOf(found, own);
}

/** Writes the stage into a database that has none, and refuses one that has another. */
export async function stampStage(session: Session, own: Stage): Promise<void> {
  if (own === 'rehearsal' && (await stageOf(session)) === undefined) await refuseOldShop(session);
  await session.execute(
    'insert into installation (stage) values ($1) on conflict (is_only) do nothing',
    [own],
  );
  complainOf(await stageOf(session), own);
}

/** A shop from before stages existed was no rehearsal, and what it took may have been real. */
async function refuseOldShop(session: Session): Promise<void> {
  const { rows } = await session.execute('select from orders limit 1');
  if (rows.length === 0) return;
  throw new OtherStage(
    'DATABASE_URL: the database already has orders, and a rehearsal begins with an empty database: set APP_ENV to what this shop has been, or name another database',
  );
}

async function stageOf(session: Session): Promise<Stage | undefined> {
  const { rows } = await session.execute('select stage from installation');
  return z.array(Stored).parse(rows)[0]?.stage;
}

async function isThere(session: Session, table: string): Promise<boolean> {
  const { rows } = await session.execute('select where to_regclass($1) is not null', [table]);
  return rows.length > 0;
}

function complainOf(found: Stage | undefined, own: Stage): void {
  const complaint = stageComplaint(found, own);
  if (complaint !== undefined) throw new OtherStage(`DATABASE_URL: ${complaint}`);
}
