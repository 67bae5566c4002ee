import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testIdentityKeyOf } from '../../../test/identities.ts';
import { readCsvHeader, readCsvLine } from './csv-line.ts';
import { readLines } from './file-lines.ts';
import { openNameSet } from './name-set.ts';
import { openLineReader } from './read-player.ts';

const folder = mkdtempSync(join(tmpdir(), 'pointgate-test-'));

async function linesOf(content: string | Buffer, linesMax = 1_000) {
  const file = join(folder, 'players');
  writeFileSync(file, content);
  const read: Buffer[] = [];
  const batches = [];
  for await (const batch of readLines(file, { linesMax, onBytes: (bytes) => read.push(bytes) })) {
    batches.push(
      batch.map(({ number, end, bytes }) => [number, end, bytes?.toString() ?? 'too long']),
    );
  }
  expect(Buffer.concat(read).equals(Buffer.from(content))).toBe(true);
  return batches;
}

describe('lines of an imported file', () => {
  test('each line of an imported file has its number and the place of the next one, in batches', async () => {
    expect(await linesOf('a\nbc\n\nd', 2)).toEqual([
      [
        [1, 2, 'a'],
        [2, 5, 'bc'],
      ],
      [
        [3, 6, ''],
        [4, 7, 'd'],
      ],
    ]);
    expect(await linesOf('a\n')).toEqual([[[1, 2, 'a']]]);
    expect(await linesOf('')).toEqual([]);
  });

  test('a line of four megabytes is left out of an imported file without harm to its neighbours', async () => {
    const huge = 'x'.repeat(4 * 1024 * 1024);
    const [batch = []] = await linesOf(`a\n${huge}\nb\n${huge}`);
    expect(batch.map(([number, , text]) => [number, text])).toEqual([
      [1, 'a'],
      [2, 'too long'],
      [3, 'b'],
      [4, 'too long'],
    ]);
  });

  test('a line of 64 KiB is read whole, and one more byte is too long', async () => {
    const longest = 'x'.repeat(64 * 1024);
    const [batch = []] = await linesOf(`${longest}\n${longest}x\n`);
    expect(batch.map(([, , text]) => text)).toEqual([longest, 'too long']);
  });

  test('a letter of several bytes that lies between two reads is whole', async () => {
    const text = `${'a'.repeat(60_000)}\n`.repeat(4) + 'ü'.repeat(30_000);
    const [batch = []] = await linesOf(text);
    expect(batch.at(-1)?.[2]).toBe('ü'.repeat(30_000));
  });
});

test('a set of names knows 200,000 names that were added and no others', () => {
  const names = openNameSet(16);
  const many = Array.from({ length: 200_000 }, (_, index) => `name-${index}`);
  expect(many.every((name) => names.add(name))).toBe(true);
  expect(many.some((name) => names.add(name))).toBe(false);
  expect(names.add('another')).toBe(true);
});

describe('CSV', () => {
  test.each([
    ['a,b', ['a', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",c', ['say "hi"', 'c']],
    ['a,', ['a', '']],
    [',,', ['', '', '']],
    ['""', ['']],
  ])('a CSV line is read as in RFC 4180: %s', (text, fields) => {
    expect(readCsvLine(text, ',')).toEqual(fields);
  });

  test.each(['"a', 'a"b', '"a"b', '"a""', 'a,"b'])(
    'a CSV line with a quote in a wrong place is refused: %s',
    (text) => {
      expect(readCsvLine(text, ',')).toBe(undefined);
    },
  );

  test.each([',', ';', '\t'])('a CSV header may be separated by %j', (separator) => {
    const header = ['loginName', 'createdAt'].join(separator);
    expect(readCsvHeader(header)).toEqual({ columns: ['loginName', 'createdAt'], separator });
  });

  test('a CSV header with an unknown or repeated column is refused by the number of the column', () => {
    expect(readCsvHeader('loginName,createdAt,secret')).toEqual({ unknownColumn: 3 });
    expect(readCsvHeader('loginName,loginName')).toEqual({ unknownColumn: 2 });
  });
});

const readerOf = (format: 'ndjson' | 'csv') =>
  openLineReader(format, {
    identityKeyOf: testIdentityKeyOf,
    firebase: undefined,
    games: new Set(['starfall']),
    now: new Date('2026-01-01'),
  });

const readAs = (format: 'ndjson' | 'csv', ...lines: (string | Buffer)[]) => {
  const read = readerOf(format);
  return lines
    .map((line, index) => read({ number: index + 1, end: 0, bytes: Buffer.from(line) }))
    .at(-1);
};

const readJson = (changes: object) =>
  readAs(
    'ndjson',
    JSON.stringify({ loginName: 'ana', createdAt: '2024-05-01T00:00:00Z', ...changes }),
  );

describe('a line of a player', () => {
  test('a whole line becomes a player with keys of identities as sign-in uses them', () => {
    const hash = '$2b$06$BjP/klK8LoRQ7nA0Zy9EB.F6i9K69RafYitYJgBqZyr5lLlHJ0ZS.';
    const player = readJson({
      loginName: 'Ana',
      email: 'Ana@X.example',
      phone: '+4915112345678',
      displayName: ' Ana of the North ',
      password: hash,
      identities: { GOOGLE_PLAY_GAME: '1093' },
      gameAccounts: [
        { gameId: 'starfall', gameAccountId: 'p-1001' },
        { gameId: 'starfall', gameAccountId: 'p-1001' },
      ],
      state: 'suspended',
    });
    expect(player).toEqual({
      displayName: 'Ana of the North',
      defaultName: 'Ana',
      createdAt: new Date('2024-05-01T00:00:00Z'),
      isSuspended: true,
      passwordHash: hash,
      identities: [
        { field: 'loginName', name: { accountType: 'ACCOUNT', subject: 'ana' } },
        {
          field: 'email',
          name: testIdentityKeyOf({ accountType: 'EMAIL', subject: 'ana@x.example' }),
        },
        {
          field: 'phone',
          name: testIdentityKeyOf({ accountType: 'MOBILE', subject: '+4915112345678' }),
        },
        { field: 'identities', name: { accountType: 'GOOGLE_PLAY_GAME', subject: '1093' } },
      ],
      gameAccounts: [
        { field: 'gameAccounts', name: { gameId: 'starfall', gameAccountId: 'p-1001' } },
      ],
    });
  });

  test.each([
    ['without createdAt', { createdAt: undefined }, 'missing', 'createdAt'],
    ['with a date without a time', { createdAt: '2024-05-01' }, 'invalid', 'createdAt'],
    ['of tomorrow', { createdAt: '2026-01-02T00:00:00Z' }, 'created_in_future', 'createdAt'],
    ['of the year 0', { createdAt: '0000-01-01T00:00:00Z' }, 'invalid', 'createdAt'],
    ['of the year 1970', { createdAt: '1970-01-01T00:00:00Z' }, 'invalid', 'createdAt'],
    ['with an unknown field', { 'ana@x.example': 1 }, 'unknown_field', ''],
    ['with a wrong address', { email: 'ana' }, 'invalid', 'email'],
    ['with a phone in national form', { phone: '0151 1234' }, 'invalid', 'phone'],
    ['with null for a field', { email: null }, 'invalid', 'email'],
    ['with a NUL in the name', { loginName: 'a\0' }, 'invalid', 'loginName'],
    ['with half a surrogate pair', { displayName: '\ud800' }, 'invalid', 'displayName'],
    ['with a text direction mark', { displayName: '\u202eana' }, 'invalid', 'displayName'],
    ['with a name of 65 letters', { loginName: 'a'.repeat(65) }, 'invalid', 'loginName'],
    ['with an unknown provider', { identities: { MYSPACE: '1' } }, 'unknown_field', 'identities'],
    ['with an object for an identity', { identities: { WECHAT: {} } }, 'invalid', 'identities'],
    ['with an unknown state', { state: 'banned' }, 'invalid', 'state'],
    [
      'with an unknown game',
      { gameAccounts: [{ gameId: 'other', gameAccountId: 'p' }] },
      'unknown_game',
      'gameAccounts',
    ],
    [
      'with a field too many in a game account',
      { gameAccounts: [{ gameId: 'starfall', gameAccountId: 'p', level: 3 }] },
      'unknown_field',
      'gameAccounts',
    ],
    ['without any name', { loginName: undefined }, 'no_way_in', ''],
    [
      'with a password that no name has',
      {
        loginName: undefined,
        identities: { WECHAT: '1' },
        password: '$2b$06$BjP/klK8LoRQ7nA0Zy9EB.F6i9K69RafYitYJgBqZyr5lLlHJ0ZS.',
      },
      'password_without_name',
      'password',
    ],
    ['with a password in plain text', { password: 'Dawn-58' }, 'hash_unknown', 'password'],
    ['with MD5', { password: '5f4dcc3b5aa765d61d8327deb882cf99' }, 'hash_too_weak', 'password'],
  ])('a line %s is refused', (_, changes, code, field) => {
    expect(readJson(changes)).toEqual({ code, field });
  });

  test.each([
    ['wrong UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'not_utf8'],
    ['no JSON', '{"loginName":', 'not_json'],
    ['two values', '{} {}', 'not_json'],
    ['30,000 nested lists', '['.repeat(30_000) + ']'.repeat(30_000), 'invalid'],
    ['a list', '[]', 'invalid'],
    ['null', 'null', 'invalid'],
    [
      'a key twice',
      '{"loginName":"a","loginName":"b","createdAt":"2024-05-01T00:00:00Z"}',
      'duplicate_key',
    ],
    [
      'a key twice, once with an escape',
      '{"loginName":"a","login\\u004eame":"b","createdAt":"2024-05-01T00:00:00Z"}',
      'duplicate_key',
    ],
    [
      'a key twice in a game account',
      '{"gameAccounts":[{"gameId":"starfall","gameAccountId":"a","gameAccountId":"b"}],"createdAt":"2024-05-01T00:00:00Z"}',
      'duplicate_key',
    ],
    ['the key __proto__', '{"__proto__":{},"createdAt":"2024-05-01T00:00:00Z"}', 'unknown_field'],
  ])('a line that is %s is refused', (_, line, code) => {
    expect(readAs('ndjson', line)).toMatchObject({ code });
  });

  test('a text with a colon and quotes inside is not taken for a key', () => {
    expect(readJson({ displayName: '"loginName": "b", \\' })).toMatchObject({
      displayName: '"loginName": "b", \\',
    });
  });

  test('a byte order mark and Windows line ends are no part of a line, and an empty line is no player', () => {
    const line = '{"loginName":"ana","createdAt":"2024-05-01T00:00:00Z"}';
    expect(readAs('ndjson', `\ufeff${line}\r`)).toMatchObject({ defaultName: 'ana' });
    expect(readAs('ndjson', '\r')).toBe('no player');
  });
});

describe('a CSV line of a player', () => {
  const header = 'loginName;identities;gameAccounts;createdAt';
  const readCsv = (line: string) => readAs('csv', header, line);

  test('a CSV line has lists separated by | and their parts by a colon', () => {
    expect(
      readCsv('ana;WECHAT:o:1|FACEBOOK:22;starfall:p-1|starfall:p-2;2024-05-01T00:00:00Z'),
    ).toMatchObject({
      identities: [
        { name: { accountType: 'ACCOUNT', subject: 'ana' } },
        { name: { accountType: 'WECHAT', subject: 'o:1' } },
        { name: { accountType: 'FACEBOOK', subject: '22' } },
      ],
      gameAccounts: [{ name: { gameAccountId: 'p-1' } }, { name: { gameAccountId: 'p-2' } }],
    });
  });

  test.each([
    ['with a field too many', 'ana;;;2024-05-01T00:00:00Z;x', 'not_csv', ''],
    ['with an open quote', '"ana;;;2024-05-01T00:00:00Z', 'not_csv', ''],
    [
      'with an id that a spreadsheet rounded',
      'ana;;starfall:1.0E+15;2024-05-01T00:00:00Z',
      'number_of_spreadsheet',
      'gameAccounts',
    ],
    ['without a date', 'ana;;;', 'missing', 'createdAt'],
    ['with a date of a spreadsheet', 'ana;;;01/05/2024', 'invalid', 'createdAt'],
    [
      'with a provider twice',
      'ana;WECHAT:1|WECHAT:2;;2024-05-01T00:00:00Z',
      'duplicate_key',
      'identities',
    ],
    [
      'with a game account without a game',
      'ana;;p-1;2024-05-01T00:00:00Z',
      'invalid',
      'gameAccounts',
    ],
  ])('a CSV line %s is refused', (_, line, code, field) => {
    expect(readCsv(line)).toEqual({ code, field });
  });

  test('a CSV file without a header is refused without telling its first line', () => {
    expect(() => readAs('csv', 'ana,ana@x.example')).toThrow('column 1 in line 1 is no field');
  });
});
