import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { type DbOptions, waitMsOf } from './db.ts';

// Connections that are not of the pool: each is one, and does one thing.

/** One connection, for what sets it up by itself: migrations and archives. */
export interface Session {
  /** Without values a text may hold several statements. */
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[]; changed: number }>;
  /** What a `copy … to stdout` writes, and where a `copy … from stdin` reads. */
  copyOut(statement: string): Readable;
  copyIn(statement: string): Writable;
  close(): Promise<void>;
}

export async function openSession(options: Omit<DbOptions, 'connectionsMax'>): Promise<Session> {
  const client = clientOf(options);
  // What is under way fails when the connection is lost; without a listener the process would end.
  client.on('error', () => {});
  await client.connect();
  return {
    execute: async (text, values) => {
      const { rows, rowCount } = await client.query(text, values);
      return { rows, changed: rowCount ?? 0 };
    },
    copyOut: (statement) => client.query(to(statement)),
    copyIn: (statement) => client.query(from(statement)),
    close: () => client.end(),
  };
}

/**
 * Hears what is announced on a channel of PostgreSQL, on a connection of its own. A lost connection is
 * opened again, and then `null` is heard: something may have been said meanwhile.
 */
export function openListener(
  options: Omit<DbOptions, 'connectionsMax'>,
  channel: string,
  onHeard: (said: string | null) => void,
): { close(): Promise<void> } {
  return keepConnected(options, async (client) => {
    client.on('notification', ({ payload }) => onHeard(payload ?? null));
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    onHeard(null);
  });
}

const askForLeadMs = 1_000;

/**
 * Of all processes that want to lead under one name, one does at a time, on a connection of its own:
 * whoever dies or loses it leads no more, and another begins within seconds. For a moment both may
 * believe that they lead, so nothing may be wrong because of two, only wasteful.
 */
export function openLeadership(
  options: Omit<DbOptions, 'connectionsMax'>,
  name: string,
  { onLead, onLost }: { onLead: () => void; onLost: () => Promise<void> },
): { close(): Promise<void> } {
  let isLeading = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const stop = async () => {
    clearTimeout(timer);
    const hasLed = isLeading;
    isLeading = false;
    if (hasLed) await onLost();
  };
  const connection = keepConnected(
    options,
    async (client) => {
      // A leader whose machine is gone is found out by PostgreSQL within half a minute.
      await client.query(
        'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4',
      );
      const ask = async () => {
        const { rows } = await client.query<{ leads: boolean }>(
          'select pg_try_advisory_lock(hashtextextended($1, 0)) as leads',
          [name],
        );
        if (isClosed) return;
        if (rows[0]?.leads === true) {
          isLeading = true;
          onLead();
        } else {
          // Where asking fails the connection is lost, and asking begins anew with the next one.
          timer = setTimeout(() => ask().catch(() => {}), askForLeadMs).unref();
        }
      };
      await ask();
    },
    () => void stop(),
  );
  return {
    close: async () => {
      isClosed = true;
      await stop();
      await connection.close();
    },
  };
}

/** Keeps one connection open until it is closed here; a lost one is opened again after a second. */
function keepConnected(
  options: Omit<DbOptions, 'connectionsMax'>,
  onOpen: (client: pg.Client) => Promise<void>,
  onLost: () => void = () => {},
): { close(): Promise<void> } {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const connect = () => {
    timer = undefined;
    const own = clientOf(options);
    client = own;
    const again = () => {
      if (isClosed || client !== own || timer !== undefined) return;
      onLost();
      timer = setTimeout(connect, 1_000).unref();
    };
    own.on('error', again);
    own.on('end', again);
    own
      .connect()
      .then(() => onOpen(own))
      .catch(again);
  };
  connect();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

function clientOf({ url, applicationName, ...limits }: Omit<DbOptions, 'connectionsMax'>) {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: waitMsOf(limits),
    keepAlive: true,
  });
}
