import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { waitUntil } from '../process/wait-until.ts';
import { serviceAccount } from './account.ts';
import { startPostgres } from './postgres.ts';
import { reachableFolder } from './postgres-binaries.ts';

// Files of the running server that are not part of its data.
const notCopied = ['postmaster.pid', 'postmaster.opts', 'pg_replslot', 'pg_wal', 'log'];
const emptyFolders = ['pg_replslot', 'pg_wal', 'pg_wal/archive_status'];

/** A streaming replica of a server; its data is deleted when it stops. */
export interface Replica {
  url: string;
  stop(): Promise<void>;
}

/** Starts a physical replica of a local server, which keeps running. */
export async function startReplica(primaryUrl: string, dataDir: string): Promise<Replica> {
  const account = serviceAccount();
  const home = reachableFolder(account, join(dataDir, 'postgres'));
  const data = join(home, 'data');
  const { hostname, port, username, password } = new URL(primaryUrl);
  const slot = `replica_${process.pid}_${Date.now()}`;
  await copyData(primaryUrl, { data, slot });
  await writeFile(join(home, 'password'), password, { mode: 0o600 });
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n` +
      `primary_slot_name = '${slot}'\n`,
  );
  await writeFile(join(data, 'standby.signal'), '');
  if (account !== null) {
    await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, home]);
  }
  const { url, stop } = await startPostgres({ dataDir, durable: true, fresh: false });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(home, { recursive: true });
    },
  };
}

/** Waits until the replica has replayed the current position of the primary. */
export async function untilFollowed(primaryUrl: string, { url }: Replica): Promise<void> {
  const [place] = await answersOf(primaryUrl, 'select pg_current_wal_lsn()::text as place');
  const isThere = async () => {
    const [row] = await answersOf(
      url,
      `select (pg_last_wal_replay_lsn() >= '${place?.place}')::text as place`,
    );
    return row?.place === 'true';
  };
  await waitUntil(isThere, { timeoutMs: 60_000, what: 'the replica is behind' });
}

async function answersOf(url: string, text: string): Promise<{ place: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ place: string }>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A base backup, because pg_basebackup is not among the binaries from npm. */
async function copyData(
  primaryUrl: string,
  { data, slot }: { data: string; slot: string },
): Promise<void> {
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  try {
    const { rows } = await primary.query<{ data_directory: string }>('show data_directory');
    const from = rows[0]?.data_directory ?? '';
    // The slot keeps the WAL that the replica has not read, starting before the copy.
    await primary.query('select pg_create_physical_replication_slot($1, true)', [slot]);
    await primary.query(`select pg_backup_start('replica', true)`);
    await mkdir(dirname(data), { recursive: true });
    await cp(from, data, { recursive: true, filter: (path) => isCopied(relative(from, path)) });
    const stopped = await primary.query<{ labelfile: string; spcmapfile: string }>(
      'select labelfile, spcmapfile from pg_backup_stop(false)',
    );
    for (const folder of emptyFolders) await mkdir(join(data, folder), { recursive: true });
    await writeFile(join(data, 'backup_label'), stopped.rows[0]?.labelfile ?? '');
    // PostgreSQL refuses a data folder that other users can read.
    await chmod(data, 0o700);
  } finally {
    await primary.end();
  }
}

function isCopied(path: string): boolean {
  return !notCopied.includes(path) && !basename(path).startsWith('pgsql_tmp');
}
