import { openRawExecutor } from './platform/db.ts';
import { grantRights } from './platform/grants.ts';
import { installJobs } from './platform/jobs.ts';
import { migrate } from './platform/migrations.ts';
import { readDatabaseUrl, readDatabaseUsers, readStage } from './wiring/config.ts';
import { jobKinds } from './wiring/job-kinds.ts';

const connection = { url: readDatabaseUrl(), applicationName: 'pointgate-migrate' };
const users = readDatabaseUsers();
const stage = readStage();
await migrate(connection, new URL('../migrations/', import.meta.url), stage);

const executor = openRawExecutor({ ...connection, connectionsMax: 2 });
await installJobs(executor, jobKinds);
await executor.close();
await grantRights(connection, users);
