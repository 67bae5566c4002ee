import { readDatabaseUrl } from './config.ts';
import { jobKinds } from './job-kinds.ts';
import { openDb, openRawExecutor } from './platform/db.ts';
import { installJobs } from './platform/jobs.ts';
import { migrate } from './platform/migrations.ts';

const connection = {
  url: readDatabaseUrl(),
  connectionsMax: 2,
  applicationName: 'pointgate-migrate',
};
const db = openDb(connection);
await migrate(db, new URL('../migrations/', import.meta.url));
await db.close();

const executor = openRawExecutor(connection);
await installJobs(executor, jobKinds);
await executor.close();
