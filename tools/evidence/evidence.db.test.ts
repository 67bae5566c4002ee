import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { cloneDatabase } from '../../server/test/database.ts';
import { dumpDatabase } from './database.ts';
import { readLogs } from './logs.ts';
import { dumpRedis, tellRedis, watchRedis } from './redis.ts';

test('the database dump for the leak search contains the rows of tables in every schema', async () => {
  const database = await cloneDatabase();
  onTestFinished(database.drop);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    create table "a Table" (note text, bytes bytea);
    insert into "a Table" values ('swordfish', 'salmon');
    create schema elsewhere create table things (it jsonb);
    insert into elsewhere.things values ('{"fish":"mackerel"}')`);
  await client.end();

  const places = await dumpDatabase(database.url);

  const textOf = (name: string) => places.find((place) => place.name === name)?.text;
  expect(textOf('table public.a Table')).toContain('swordfish');
  expect(textOf('table public.a Table')).toContain(Buffer.from('salmon').toString('hex'));
  expect(textOf('table elsewhere.things')).toContain('mackerel');
  expect(textOf('table public.schema_migrations')).toContain('0001_foundation.sql');
  expect(places.some(({ name }) => name.startsWith('table pgboss.job'))).toBe(true);
});

const redisUrl = inject('redisUrl');
test.skipIf(redisUrl === null)(
  'the Redis dump for the leak search contains values of every type, and the recorder of Redis commands sees every command',
  async () => {
    const url = redisUrl ?? '';
    const watch = await watchRedis(url);
    onTestFinished(watch.stop);
    const writes = [
      ['SET', 'of-text', 'swordfish-text'],
      ['HSET', 'of-hash', 'field', 'swordfish-hash'],
      ['RPUSH', 'of-list', 'swordfish-list'],
      ['SADD', 'of-set', 'swordfish-set'],
      ['ZADD', 'of-order', '1', 'swordfish-order'],
      ['XADD', 'of-stream', '*', 'field', 'swordfish-stream'],
    ].map(([command = '', key = '', ...rest]) => [command, `evidence:${key}`, ...rest]);
    for (const write of writes) await tellRedis(url, write);
    onTestFinished(async () => {
      for (const [, key = ''] of writes) await tellRedis(url, ['DEL', key]);
    });

    const { text } = await dumpRedis(url);

    for (const write of writes) {
      expect(text).toContain(write[1]);
      expect(text).toContain(write.at(-1));
    }
    await tellRedis(url, ['PUBLISH', 'evidence', 'swordfish-said']);
    await expect.poll(() => watch.seen().text).toContain('swordfish-said');
    expect(watch.seen().text).toContain('swordfish-hash');
    await expect(tellRedis(url, ['NO-SUCH', 'thing'])).rejects.toThrow('NO-SUCH');
  },
);

test('the log dump for the leak search contains the logs of all programs and services of a stack', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pointgate-evidence-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, 'logs'));
  writeFileSync(join(home, 'postgres.log'), 'of the database');
  writeFileSync(join(home, 'logs/api.log'), 'of the api');
  writeFileSync(join(home, 'secrets.json'), 'no log');

  expect(await readLogs(home)).toEqual([
    { name: 'log postgres', text: 'of the database' },
    { name: 'log api', text: 'of the api' },
  ]);
});
