import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { type DbOptions, waitMsOf } from './db.ts';

// Connections outside the pool, each for a single purpose.

/** A connection for work that configures it itself: migrations and archives. */
export interface Session {
  /** Without values, the text may contain several statements. */
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[]; changed: number }>;
  /** Streams for `copy … to stdout` and `copy … from stdin`. */
  copyOut(statement: string): Readable;
  copyIn(statement: string): Writable;
  close(): Promise<void>;
}

export async function openSession(options: Omit<DbOptions, 'connectionsMax'>): Promise<Session> {
  const client = clientOf(options);
  // Running statements fail when the connection is lost; without a listener the error would end the
  // process.
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
 * Listens to a PostgreSQL channel on a connection of its own. After a lost connection was reopened,
 * the listener is called with `null`, because notifications may have been missed.
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
 * Leader election among processes by an advisory lock, on a connection of its own. A leader that
 * dies or loses its connection is replaced within seconds. For a moment two processes may believe
 * that they lead, so leadership may only avoid duplicate work and must not be needed for
 * correctness.
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
      // PostgreSQL detects within half a minute that the machine of a leader is gone.
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
          // A failed query means a lost connection; the next connection starts again.
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

/** Keeps one connection open until it is closed; reconnects a second after a loss. */
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
