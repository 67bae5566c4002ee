import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeSettings, readDatabaseUrl, readDatabaseUsers } from './config.ts';

const url = 'postgres://shop:swordfish@localhost/shop';
const folder = mkdtempSync(join(tmpdir(), 'pointgate-settings-'));

function fileWith(text: string): string {
  const file = join(folder, 'setting');
  writeFileSync(file, text);
  return file;
}

test('a setting is read from a file, with or without a trailing line break', () => {
  for (const text of [url, `${url}\n`, `${url}\r\n`]) {
    const environment = { DATABASE_URL_FILE: fileWith(text) };
    expect(judgeSettings(environment).database?.url).toBe(url);
    expect(readDatabaseUrl(environment)).toBe(url);
  }
});

test('the setting DATABASE_USERS is read from a file', () => {
  const users = [{ name: 'shop_api', group: 'api', password: 'sixteen-letters-at-least' }];
  expect(readDatabaseUsers({ DATABASE_USERS_FILE: fileWith(JSON.stringify(users)) })).toEqual(
    users,
  );
});

test('a setting that is set both as a value and as a file is refused with its name', () => {
  const environment = { DATABASE_URL: url, DATABASE_URL_FILE: fileWith(url) };
  const { config, complaints } = judgeSettings(environment);
  expect(config).toBeUndefined();
  expect(complaints).toContain('DATABASE_URL_FILE: is set, and so is DATABASE_URL');
  expect(complaints.join()).not.toContain('swordfish');
  expect(() => readDatabaseUrl(environment)).toThrow('DATABASE_URL_FILE: is set, and so is');
});

test('a setting whose file cannot be read is refused with its name', () => {
  const environment = { DATABASE_USERS_FILE: join(folder, 'nothing'), CODE_PEPPER_FILE: folder };
  expect(judgeSettings(environment).complaints).toContain(
    'CODE_PEPPER_FILE: cannot be read (EISDIR)',
  );
  expect(() => readDatabaseUsers(environment)).toThrow(
    'DATABASE_USERS_FILE: cannot be read (ENOENT)',
  );
});

test('the setting BREACHED_PASSWORDS_FILE is used as a file name, not as the file with the value of another setting', () => {
  const { complaints } = judgeSettings({ BREACHED_PASSWORDS_FILE: '/nothing' });
  expect(complaints.join()).not.toContain('BREACHED_PASSWORDS_FILE');
});
