import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { openSession, type Session } from './connections.ts';
import type { DbOptions } from './db.ts';
import { log } from './log.ts';
import { type Group, groups, privilegesOn, tableRights } from './table-rights.ts';

/** A database user of one of the shop's programs. */
export interface DatabaseUser {
  name: string;
  group: keyof typeof groups;
  password: string;
}

/**
 * Creates groups and users, and grants each group exactly the privileges of `table-rights.ts`. Runs
 * after every migration, so that new tables and newly created groups are included.
 */
export async function grantRights(
  connection: Omit<DbOptions, 'connectionsMax'>,
  users: readonly DatabaseUser[],
): Promise<void> {
  const session = await openSession(connection);
  try {
    const missing = await makeGroups(session);
    const there = Object.values(groups).filter((group) => !missing.includes(group));
    await session.execute('begin');
    if (there.length > 0) {
      for (const statement of await changesOf(session, there)) await session.execute(statement);
    }
    for (const user of users) await makeUser(session, user);
    await session.execute('commit');
  } finally {
    await session.close();
  }
}

async function makeGroups(session: Session): Promise<readonly string[]> {
  const { rows } = await session.execute('select make_groups() as missing');
  const [{ missing }] = z.tuple([z.object({ missing: z.array(z.string()) })]).parse(rows);
  if (missing.length > 0) {
    const statements = missing.map((name) => `create role ${name} nologin`).join('; ');
    log.warn({ statements }, 'database roles are missing: create them and migrate again');
  }
  return missing;
}

const Table = z.object({ name: z.string(), root: z.string(), granted: z.array(z.string()) });

const workerFunctions = [
  'ensure_months(int)',
  'ensure_month_partitions(regclass, int)',
  'analytics.ensure_days(regclass, date, date)',
  'analytics.drop_days_before(regclass, date)',
];

/** The grants and revokes that are needed; none for tables that are already right. */
async function changesOf(session: Session, there: readonly Group[]): Promise<string[]> {
  const { rows } = await session.execute(
    `select oid::regclass::text as name,
       coalesce((select inhparent from pg_inherits where inhrelid = oid), oid)::regclass::text as root,
       array(
         select rolname || ' ' || privilege_type
         from aclexplode(relacl) join pg_roles on pg_roles.oid = grantee
         where rolname = any($1)) as granted
     from pg_class
     where relkind in ('r', 'p', 'v')
       and relnamespace in (select oid from pg_namespace where nspname in ('public', 'analytics', 'pgboss'))
     order by 1`,
    [there],
  );
  const tables = z.array(Table).parse(rows);
  const schemas = new Set(['public', 'analytics']);
  if (tables.some(({ name }) => isOfJobs(name))) schemas.add('pgboss');
  const everybody = there.join(', ');
  return [
    ...[...schemas].map((schema) => `grant usage on schema ${schema} to ${everybody}`),
    ...tables.flatMap((table) => there.flatMap((group) => changesFor(table, group))),
    ...(there.includes(groups.worker)
      ? [`grant execute on function ${workerFunctions.join(', ')} to ${groups.worker}`]
      : []),
  ];
}

const isOfJobs = (table: string) => table.startsWith('pgboss.');

function changesFor({ name, root, granted }: z.output<typeof Table>, group: Group): string[] {
  const wanted = wantedOn(name in tableRights ? name : root, group);
  const has = granted.filter((one) => one.startsWith(`${group} `)).map((one) => one.split(' ')[1]);
  if (has.toSorted().join() === wanted.toSorted().join()) return [];
  const revoke = `revoke all on ${name} from ${group}`;
  return wanted.length === 0
    ? [revoke]
    : [revoke, `grant ${wanted.join(', ')} on ${name} to ${group}`];
}

function wantedOn(table: string, group: Group): readonly string[] {
  if (!isOfJobs(table)) return privilegesOn(table)[group];
  const works = group === groups.api || group === groups.worker;
  return works ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] : ['SELECT'];
}

/** Sets the password of an existing user again, so that it can be changed. */
async function makeUser(session: Session, { name, group, password }: DatabaseUser): Promise<void> {
  const { rows } = await session.execute(
    `select format(
       case when to_regrole(quote_ident($1)) is null then 'create role %1$I' else 'alter role %1$I' end
       || ' login password %2$L; grant %3$I to %1$I', $1::text, $2::text, $3::text) as statement`,
    [name, verifierOf(password), groups[group]],
  );
  const [{ statement }] = z.tuple([z.object({ statement: z.string() })]).parse(rows);
  await session.execute(statement);
}

/** The password as a SCRAM verifier, so that it does not appear in logs of PostgreSQL. */
function verifierOf(password: string): string {
  const iterations = 4_096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
