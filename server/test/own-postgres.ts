import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../../tools/services/postgres.ts';
import { costing } from './costs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A separate server with a migrated database, for tests that stop it. */
export async function startOwnPostgres() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pointgate-test-'));
  // For root, PostgreSQL runs as another user, who needs access to this folder.
  chmodSync(dataDir, 0o755);
  const server = await costing('program', () =>
    startPostgres({ dataDir, durable: true, fresh: true }),
  );
  const { url } = server;
  const env = { ...process.env, APP_ENV: 'development', DATABASE_URL: url };
  const migrate = [join(root, 'server/src/migrate.ts')];
  await costing('program', () => promisify(execFile)(process.execPath, migrate, { env }));
  return {
    url,
    kill: server.kill,
    start: server.start,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
