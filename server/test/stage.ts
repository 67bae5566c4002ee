import { openSession } from '../src/platform/connections.ts';
import type { Stage } from '../src/platform/installation.ts';

/** Makes a database that of another stage, or of none, as only its owner can by switching triggers off. */
export async function givenStage(url: string, stage: Stage | null): Promise<void> {
  const session = await openSession({ url, applicationName: 'test' });
  await session.execute(`
    begin;
    alter table installation disable trigger user;
    delete from installation;
    alter table installation enable trigger user;
    commit`);
  if (stage !== null)
    await session.execute('insert into installation (stage) values ($1)', [stage]);
  await session.close();
}
