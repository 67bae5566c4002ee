import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { givenMember } from '../../../test/codes.ts';
import { patientSeconds } from '../../../test/database.ts';
import { demoGame } from '../../../test/demo.ts';
import { testIdentityKeyOf } from '../../../test/identities.ts';
import { operate, operateForJson } from '../../../test/operate.ts';
import {
  bornAt,
  deletePlayers,
  givenPlayerFile,
  importedPlayers,
  importFile,
  oldHash,
  oldPassword,
  playerLine,
} from '../../../test/player-files.ts';
import { shopEnvironment } from '../../../test/processes.ts';
import { eventually, openTestShop, seal, send, type TestShop } from '../../../test/shop.ts';
import { type Db, openRawExecutor, type RawExecutor, type Tx } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';
import { createAccount, findAccount } from '../accounts/accounts.ts';
import { forgetOldRefusals } from './player-imports.ts';

let shop: TestShop;
let owner: RawExecutor;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  owner = openRawExecutor({ url: shop.databaseUrl, connectionsMax: 1, applicationName: 'test' });
});
beforeEach(() => deletePlayers(owner));
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await owner.close();
  await shop.closeAll();
});

const someId = '01970000-0000-7000-8000-000000000000';

const run = (file: string, ...options: string[]) =>
  operateForJson(shop, ['import-players', file, ...options]);

const refusalsOf = (file: string) =>
  readFileSync(`${file}.refused.tsv`, 'utf8').split('\n').slice(1, -1);

const signIn = async (method: string, name: object, password = oldPassword) => {
  const path = '/api/user/login';
  const data = await seal(shop, path, { method, ...name, password });
  return await send(shop, path, { body: { data } });
};

const countOf = async (table: 'accounts' | 'identities' | 'game_accounts') => {
  const { rows } = await owner.executeSql(`select count(*)::int as count from ${table}`);
  return z.tuple([z.object({ count: z.int() })]).parse(rows)[0].count;
};

describe('an import of players', () => {
  test('an imported player signs in with every name of the line and the password of the old system', async () => {
    const line = { ...playerLine('Ana', 1), displayName: 'Ana of the North', password: oldHash };
    const { said, status } = await run(givenPlayerFile([line]));
    expect(status).toBe(0);
    expect(said.imported).toMatchObject({ lines: 1, made: 1, known: 0, refused: 0 });
    const { email, phone } = line;
    for (const reply of [
      await signIn('LOGIN_NAME_PASSWD_AUTH', { loginName: 'ANA' }),
      await signIn('EMAIL_PASSWORD_AUTH', { email: email.toUpperCase() }),
      await signIn('MOBILE_PASSWORD_AUTH', { phone }),
    ]) {
      expect(reply.data).toMatchObject({
        accountType: 'ACCOUNT',
        displayName: 'Ana of the North',
        gameAccountId: 'p-Ana',
      });
    }
    const [ana] = await importedPlayers(shop.db);
    expect(ana?.created_at).toEqual(new Date(bornAt));
  });

  test('an imported address is stored as a keyed hash and sealed once its player signs in with it', async () => {
    const keys = {
      PERSON_KEYS: JSON.stringify([{ id: 'k1', key: Buffer.alloc(32).toString('base64') }]),
    };
    const line = { ...playerLine('ben', 2), password: oldHash };
    await operate(shop, ['import-players', givenPlayerFile([line]), '--by', 'ines'], {
      environment: { ...keys, PERSON_INDEX_KEY: Buffer.alloc(32).toString('base64') },
    });
    const { rows } = await owner.executeSql('select * from account_addresses');
    expect(rows).toEqual([]);
    const dumped = await owner.executeSql('select identities::text as row from identities');
    expect(JSON.stringify(dumped.rows)).not.toContain('example.com');
  });

  test('players without a display name are shown by their login name, else by their game account', async () => {
    const { gameAccounts } = playerLine('carl', 3);
    const email = 'dora@example.com';
    const file = givenPlayerFile([
      { ...playerLine('Cleo', 3) },
      { gameAccounts, createdAt: bornAt },
      { email, createdAt: bornAt },
    ]);
    await run(file);
    const shown = await importedPlayers(shop.db);
    expect(shown.map(({ display_name }) => display_name)).toEqual(['Cleo', 'Player', 'p-carl']);
  });

  test('a suspended player of the old system is suspended here, with the operator as the reason', async () => {
    const file = givenPlayerFile([
      { ...playerLine('eve', 5), password: oldHash, state: 'suspended' },
    ]);
    await run(file);
    expect(await signIn('LOGIN_NAME_PASSWD_AUTH', { loginName: 'eve' })).toMatchObject({
      code: 'AccountSuspended',
    });
    const { rows } = await owner.executeSql('select change, by from account_changes');
    expect(rows).toEqual([{ change: 'suspended', by: 'ines' }]);
  });

  test('a CSV file gives the same players as the same lines in JSON', async () => {
    const [fay, gil] = [playerLine('fay', 6), playerLine('gil', 7)];
    await run(
      givenPlayerFile([{ ...fay, password: oldHash, displayName: 'Fay, the "great"' }, gil]),
    );
    const expected = await importedPlayers(shop.db);
    await deletePlayers(owner);
    const columns = 'loginName;email;phone;displayName;password;gameAccounts;createdAt';
    const row = (line: typeof fay, displayName: string, password: string) => {
      const { loginName, email, phone } = line;
      const played = `${demoGame.id}:p-${loginName}`;
      return [loginName, email, phone, displayName, password, played, bornAt].join(';');
    };
    const rows = [row(fay, '"Fay, the ""great"""', oldHash), row(gil, '', '')];
    const file = givenPlayerFile([`\ufeff${columns}\r`, ...rows], 'players.CSV');
    expect((await run(file)).said.imported).toMatchObject({ lines: 2, made: 2 });
    expect(await importedPlayers(shop.db)).toEqual(expected);
  });

  test('a hash of Firebase is imported with the parameters of its project, and not without them', async () => {
    const password =
      '$firebase-scrypt$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==';
    const file = givenPlayerFile([{ ...playerLine('hal', 8), password }]);
    expect((await run(file)).said.imported).toMatchObject({ refused: 1 });
    expect(refusalsOf(file)).toEqual(['1\thash_parameters_missing\tpassword']);
    const parameters = givenPlayerFile([
      {
        base64_signer_key:
          'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
        base64_salt_separator: 'Bw==',
        rounds: 8,
        mem_cost: 14,
      },
    ]);
    const { said } = await run(file, '--hash-parameters', parameters);
    expect(said.imported).toMatchObject({ made: 1 });
    const reply = await signIn('LOGIN_NAME_PASSWD_AUTH', { loginName: 'hal' }, 'user1password');
    expect(reply).toMatchObject({ isSuccess: true });
  });

  test('parameters that are not those of Firebase are refused without being repeated', async () => {
    const parameters = givenPlayerFile(['{"base64_signer_key": "very-secret"}']);
    const { status, complaint } = await run(givenPlayerFile([]), '--hash-parameters', parameters);
    expect(status).toBe(1);
    expect(complaint).toContain('needs base64_signer_key');
    expect(complaint).not.toContain('very-secret');
  });

  test('a file that cannot be read is refused', async () => {
    const { status, complaint } = await run('/nowhere/players.ndjson');
    expect(status).toBe(1);
    expect(complaint).toContain('/nowhere/players.ndjson is no file');
  });
});

describe('refused lines of an import', () => {
  test('a refused line is named with its code and field and never with its value, and the others are imported', async () => {
    const logged = vi.spyOn(log, 'error');
    const secret = 'my-plain-password';
    const file = givenPlayerFile([
      playerLine('ira', 10),
      { ...playerLine('jon', 11), password: secret },
      'no json at all',
      { ...playerLine('kim', 12), createdAt: undefined },
      { ...playerLine('lea', 13), 'lea@private.example': true },
      playerLine('mia', 14),
    ]);
    const { said, complaint } = await run(file);
    expect(said.imported).toMatchObject({ lines: 6, made: 2, refused: 4 });
    expect(refusalsOf(file)).toEqual([
      '2\thash_unknown\tpassword',
      '3\tnot_json\t',
      '4\tmissing\tcreatedAt',
      '5\tunknown_field\t',
    ]);
    const entries = await operate(shop, ['actions']);
    const told = JSON.stringify([said, complaint, entries, logged.mock.calls]);
    for (const value of [secret, 'jon', 'private.example']) expect(told).not.toContain(value);
  });

  test('the second line with a name or game account of an earlier line is refused, however far apart they are', async () => {
    const [nia, ola, pam] = [20, 21, 22].map((number) => playerLine(`player-${number}`, number));
    const between = [1, 2, 3, 4, 5].map((number) => playerLine(`between-${number}`, 30 + number));
    const file = givenPlayerFile([
      { ...nia },
      { ...ola, loginName: nia?.loginName.toUpperCase() },
      ...between,
      { ...pam, gameAccounts: nia?.gameAccounts },
      { ...pam, email: nia?.email.toUpperCase(), loginName: 'pam' },
    ]);
    expect(await importFile(shop, file)).toMatchObject({ made: 6, known: 0, refused: 3 });
    expect(refusalsOf(file)).toEqual([
      '2\tname_twice\tloginName',
      '8\tname_twice\tgameAccounts',
      '9\tname_twice\temail',
    ]);
  });

  test('a line whose names belong to two players is refused', async () => {
    const [quin, rex] = [playerLine('quin', 40), playerLine('rex', 41)];
    await importFile(shop, givenPlayerFile([quin, rex]));
    const before = await importedPlayers(shop.db);
    const both = { ...quin, gameAccounts: rex.gameAccounts, phone: undefined };
    const file = givenPlayerFile([both]);
    expect(await importFile(shop, file, { isUpdate: true })).toMatchObject({ refused: 1 });
    expect(refusalsOf(file)).toEqual(['1\tnames_two_players\t']);
    expect(await importedPlayers(shop.db)).toEqual(before);
  });

  test('the worker deletes refusals 90 days after the import was last run', async () => {
    const [kept, old] = [givenPlayerFile(['x']), givenPlayerFile(['xx'])];
    await importFile(shop, old);
    await owner.executeSql(`update player_imports set seen_at = now() - interval '91 days'`);
    await importFile(shop, kept);
    await forgetOldRefusals(shop.workerShop.db);
    const { rows } = await owner.executeSql(
      'select count(*)::int as count from player_import_refusals',
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('known players in an import', () => {
  test('a known player stays as it is, whatever the line says', async () => {
    const member = await givenMember(shop.db);
    const before = await importedPlayers(shop.db);
    const file = givenPlayerFile([
      { ...playerLine('other', 50), email: member.email, password: oldHash, displayName: 'Other' },
    ]);
    expect(await importFile(shop, file)).toMatchObject({ made: 0, known: 1, updated: 0 });
    expect(await importedPlayers(shop.db)).toEqual(before);
  });

  test('an update adds ways in, game accounts and the display name, and keeps the password', async () => {
    const loginName = 'sue';
    const passwordHash = 'hash-of-today';
    await shop.db.transaction((tx) =>
      createAccount(tx, { loginName, displayName: 'old', passwordHash }),
    );
    const line = { ...playerLine('sue', 60), displayName: 'Sue', password: oldHash };
    const file = givenPlayerFile([line]);
    const outcome = await importFile(shop, file, { isUpdate: true });
    expect(outcome).toMatchObject({ made: 0, known: 1, updated: 1 });
    const [sue] = await importedPlayers(shop.db);
    expect(sue).toMatchObject({
      display_name: 'Sue',
      game_accounts: [`${demoGame.id} p-sue`],
    });
    expect(sue?.ways).toHaveLength(3);
    expect(sue?.ways.every((way) => way.endsWith(passwordHash))).toBe(true);
  });

  test('an update gives a password to a player who had no typed name, and none to one whose password was disabled', async () => {
    const [tom, uma] = [playerLine('tom', 61), playerLine('uma', 62)];
    const { gameAccounts, createdAt } = tom;
    await importFile(shop, givenPlayerFile([{ gameAccounts, createdAt }, uma]));
    const lines = [tom, uma].map((line) => ({ ...line, password: oldHash }));
    await importFile(shop, givenPlayerFile(lines), { isUpdate: true });
    expect(await signIn('LOGIN_NAME_PASSWD_AUTH', { loginName: 'tom' })).toMatchObject({
      isSuccess: true,
    });
    expect(await signIn('LOGIN_NAME_PASSWD_AUTH', { loginName: 'uma' })).toMatchObject({
      code: 'InvalidPassword',
    });
  });

  test('an update adds no second address, none that the player has just removed, and nothing to a suspended player', async () => {
    const changed = await givenMember(shop.db);
    const removed = playerLine('vera', 63);
    const suspended = { ...playerLine('walt', 64), email: undefined, state: 'suspended' };
    await importFile(shop, givenPlayerFile([removed, suspended]));
    await owner.executeSql(
      `with gone as (delete from identities where subject = $1 returning *)
       insert into account_addresses (id, account_id, account_type, subject, locale, left_at)
       select uuidv7(), account_id, account_type, subject, 'en-US', now() from gone`,
      [testIdentityKeyOf({ accountType: 'EMAIL', subject: removed.email }).subject],
    );
    const before = await importedPlayers(shop.db);
    const file = givenPlayerFile([
      { loginName: changed.loginName, email: 'another@example.com', createdAt: bornAt },
      removed,
      { ...suspended, email: 'walt@example.com', state: 'active' },
    ]);
    const outcome = await importFile(shop, file, { isUpdate: true });
    expect(outcome).toMatchObject({ known: 3, updated: 0 });
    expect(await importedPlayers(shop.db)).toEqual(before);
  });

  test('a player who takes a name while its line is stored is known, and the batch is whole', async () => {
    const lines = ['xan', 'yara', 'zoe'].map((name, index) => playerLine(name, 70 + index));
    const file = givenPlayerFile(lines);
    let isFirst = true;
    const db = beforeWrites(shop.db, async (statement) => {
      if (!isFirst || !statement.includes('insert into identities')) return;
      isFirst = false;
      await owner.executeSql(`
        insert into accounts (id, account_type, display_name)
        values ('${someId}', 'ACCOUNT', 'first');
        insert into identities (account_type, subject, account_id)
        values ('ACCOUNT', 'yara', '${someId}')`);
    });
    expect(await importFile(shop, file, { db })).toMatchObject({ made: 2, known: 1, refused: 0 });
    expect(await countOf('accounts')).toBe(3);
    expect(isFirst).toBe(false);
  });
});

/** The same database, where this happens before each write of a transaction. */
function beforeWrites(db: Db, happen: (statement: string) => Promise<void>): Db {
  return {
    ...db,
    transaction: (work) =>
      db.transaction((tx) => {
        const write: Tx['run'] = async (statement) => {
          await happen(statement.text);
          return await tx.run(statement);
        };
        return work(Object.assign(Object.create(tx), { run: write }));
      }),
  };
}

describe('a dry run of an import', () => {
  test('a dry run says what an import would do and stores nothing', async () => {
    const known = await givenMember(shop.db);
    const file = givenPlayerFile([
      playerLine('abe', 80),
      { ...playerLine('bea', 81), loginName: known.loginName },
      playerLine('abe', 82),
      'no json',
    ]);
    const { said } = await run(file, '--dry-run');
    expect(said.wouldImport).toMatchObject({ lines: 4, made: 1, known: 1, refused: 2 });
    expect(refusalsOf(file)).toEqual(['3\tname_twice\tloginName', '4\tnot_json\t']);
    expect(await countOf('accounts')).toBe(1);
    const { rows } = await owner.executeSql('select * from player_imports');
    expect(rows).toEqual([]);
  });
});

describe('an import that is stopped', () => {
  const name = (index: number) => `n-${index}`;
  /** Players, refused lines, and a name in the third batch that the first one has. */
  const lines = Array.from({ length: 20 }, (_, index) => {
    if (index === 4 || index === 11) return 'no json';
    return playerLine(index === 8 ? name(0) : name(index), 100 + index);
  });

  test('an import that is stopped before or after any commit goes on to the same rows as one in a single run', async () => {
    const file = givenPlayerFile(lines);
    const outcome = await importFile(shop, file);
    const expected = await importedPlayers(shop.db);
    const refusals = refusalsOf(file);
    expect(outcome).toMatchObject({ lines: 20, made: 17, refused: 3 });
    const transactions = 9;
    for (let stop = 1; stop <= transactions; stop += 1) {
      for (const moment of ['before', 'after'] as const) {
        await deletePlayers(owner);
        await expect(
          importFile(shop, file, { db: stoppedAt(shop.db, stop, moment) }),
        ).rejects.toThrow();
        const { before, file: _, ...rest } = await importFile(shop, file);
        expect(rest).toMatchObject({ lines: 20, made: 17, known: 0, refused: 3 });
        expect(await importedPlayers(shop.db)).toEqual(expected);
        expect(refusalsOf(file)).toEqual(refusals);
      }
    }
    await deletePlayers(owner);
    await importFile(shop, file, { db: stoppedAt(shop.db, transactions + 1, 'before') });
  });

  test('an import whose process is killed within a batch goes on to the same rows', async () => {
    const many = Array.from({ length: 12_000 }, (_, index) =>
      playerLine(name(index), 1_000 + index),
    );
    const file = givenPlayerFile(many);
    // A name of the second batch is being taken elsewhere, so that the batch waits in the middle.
    // A session, because a pool closes connections that it takes for idle.
    const other = await shop.openSession();
    await other.execute(`
      begin;
      insert into accounts (id, account_type, display_name) values ('${someId}', 'ACCOUNT', 'taken');
      insert into identities (account_type, subject, account_id)
      values ('ACCOUNT', '${name(7_000)}', '${someId}')`);
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../operate.ts'), 'import-players', file, '--by', 'ines'],
      {
        env: {
          ...shopEnvironment(shop),
          LOG_LEVEL: 'silent',
          DATABASE_WAIT_SECONDS: `${patientSeconds}`,
        },
        stdio: 'ignore',
      },
    );
    const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
    await eventually(async () => (await waiting()) > 0);
    expect((await run(file)).complaint).toContain('another import is running');
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    await other.execute('rollback');
    await other.close();
    await eventually(async () => (await waiting()) === 0);
    expect(await countOf('accounts')).toBe(5_000);

    await eventually(async () => (await importLocks()) === 0);
    const { said, complaint } = await run(file);
    expect(complaint).toContain('goes on behind line 5000');
    expect(said.imported).toMatchObject({ lines: 12_000, before: 5_000, made: 12_000, known: 0 });
    expect(await countOf('accounts')).toBe(12_000);
    expect(await countOf('identities')).toBe(36_000);
    expect(await countOf('game_accounts')).toBe(12_000);
    expect(await findAccount(shop.db, { loginName: name(7_000) })).toBeDefined();
  });

  const counted = async (text: string) =>
    z.tuple([z.object({ count: z.int() })]).parse((await owner.executeSql(text)).rows)[0].count;
  const waiting = () =>
    counted(`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%identities%'`);
  const importLocks = () =>
    counted(`select count(*)::int as count from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and ((classid::bigint << 32) | objid::bigint) = hashtextextended('import_players', 0)`);

  test('an import that is done is not done again, and the same file with an update is another import', async () => {
    const file = givenPlayerFile(lines);
    await run(file);
    const again = await run(file);
    expect(again.said.imported).toMatchObject({ lines: 20, before: 20, made: 17 });
    expect((await run(file, '--update')).said.imported).toMatchObject({ known: 17, before: 0 });
  });

  test('an import that is not done is refused with other options', async () => {
    const file = givenPlayerFile(lines);
    await expect(importFile(shop, file, { db: stoppedAt(shop.db, 4, 'before') })).rejects.toThrow();
    expect((await run(file, '--update')).complaint).toContain('other options is not done');
  });

  test('a changed file is another import, in which players of the first are known', async () => {
    await importFile(shop, givenPlayerFile(lines));
    const changed = givenPlayerFile([...lines, playerLine('another', 99)]);
    expect(await importFile(shop, changed)).toMatchObject({ made: 1, known: 17, before: 0 });
  });

  test('a batch is stored only if no other process has moved the import meanwhile', async () => {
    const file = givenPlayerFile(lines);
    let isMoved = false;
    const db = beforeWrites(shop.db, async (statement) => {
      if (isMoved || !statement.includes('insert into player_import_refusals')) return;
      isMoved = true;
      await owner.executeSql('update player_imports set next_byte = next_byte + 1');
    });
    await expect(importFile(shop, file, { db })).rejects.toThrow('stopped at line 1');
    expect(await countOf('accounts')).toBe(0);
  });
});

/** A database whose transaction of this number fails, before it begins or after its commit. */
function stoppedAt(db: Db, number: number, moment: 'before' | 'after'): Db {
  let count = 0;
  return {
    ...db,
    transaction: async (work) => {
      count += 1;
      if (count === number && moment === 'before') throw new Error('stopped');
      const done = await db.transaction(work);
      if (count === number) throw new Error('stopped');
      return done;
    },
  };
}
