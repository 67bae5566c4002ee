import { readDatabaseUrl, readDatabaseUsers } from './config.ts';
import { jobKinds } from './job-kinds.ts';
import { openRawExecutor } from './platform/db.ts';
import { grantRights } from './platform/grants.ts';
import { installJobs } from './platform/jobs.ts';
import { migrate } from './platform/migrations.ts';

const connection = { url: readDatabaseUrl(), applicationName: 'pointgate-migrate' };
const users = readDatabaseUsers();
await migrate(connection, new URL('../migrations/', import.meta.url));

const executor = openRawExecutor({ ...connection, connectionsMax: 2 });
await installJobs(executor, jobKinds);
await executor.close();
await grantRights(connection, users);
