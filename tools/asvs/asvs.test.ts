import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaintsAbout, type TextOf } from './complaints.ts';
import { asvsPage } from './page.ts';
import { chapters, requirements } from './requirements.ts';
import { type Row, readRows } from './rows.ts';
import { titlesIn } from './titles.ts';

const root = join(import.meta.dirname, '../..');
const textOf: TextOf = (path) =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
const rows = readRows(root);

test('each requirement of ASVS levels 1 and 2 has one row with existing evidence', () => {
  expect(complaintsAbout(rows, textOf)).toEqual([]);
});

test('docs/asvs.md matches the rows in docs/asvs', () => {
  expect(textOf('docs/asvs.md')).toBe(asvsPage(rows));
});

test('the list of ASVS requirements has as many entries per chapter and level as ASVS 5.0.0', () => {
  const countOf = (wanted: { chapter?: number; level: number }) =>
    requirements.filter(
      ({ chapter, level }) => level === wanted.level && (wanted.chapter ?? chapter) === chapter,
    ).length;
  expect(
    chapters.map(({ number }) => [1, 2, 3].map((level) => countOf({ chapter: number, level }))),
  ).toEqual([
    [8, 19, 3],
    [4, 7, 2],
    [8, 11, 12],
    [2, 8, 6],
    [4, 5, 4],
    [13, 22, 12],
    [6, 12, 1],
    [4, 3, 6],
    [4, 3, 0],
    [5, 24, 7],
    [3, 11, 10],
    [3, 6, 3],
    [1, 12, 8],
    [2, 7, 4],
    [3, 10, 8],
    [0, 16, 1],
    [0, 7, 5],
  ]);
  expect([1, 2, 3].map((level) => countOf({ level }))).toEqual([70, 183, 92]);
});

const planted = 'server/src/planted.test.ts';
const plantedTexts: Record<string, string> = {
  [planted]: "describe('a session', () => {\n  test('ends', () => {});\n});",
  'docs/planted.md': '# Planted\n\n## Session lifetimes (of players)\n',
};
const textOfPlanted: TextOf = (path) => plantedTexts[path];
const goodRow: Row = {
  id: '1.1.1',
  asks: 'Text is decoded once.',
  verdict: 'held',
  evidence: [
    planted,
    `${planted} > ends`,
    `${planted} > a session > ends`,
    'docs/planted.md#session-lifetimes-of-players',
  ],
};
const allRows = requirements
  .filter(({ level }) => level < 3)
  .map(({ id }): Row => ({ ...goodRow, id }));

test('complete ASVS rows with existing evidence pass the check', () => {
  expect(complaintsAbout(allRows, textOfPlanted)).toEqual([]);
});

test.each<[string, Partial<Row>, string]>([
  [
    'a link to a missing file',
    { evidence: ['server/src/gone.ts'] },
    '1.1.1 names server/src/gone.ts, which is not there',
  ],
  [
    'a test title that its file does not have',
    { evidence: [`${planted} > end`] },
    `1.1.1 names the test 'end', which ${planted} does not have`,
  ],
  [
    'a describe name in place of a test title',
    { evidence: [`${planted} > a session`] },
    `1.1.1 names the test 'a session', which ${planted} does not have`,
  ],
  [
    'a test below a describe name that its file does not have',
    { evidence: [`${planted} > a passkey > ends`] },
    `1.1.1 names the test 'a passkey > ends', which ${planted} does not have`,
  ],
  [
    'a heading that its document does not have',
    { evidence: ['docs/planted.md#rate-limits'] },
    '1.1.1 names the heading #rate-limits, which docs/planted.md does not have',
  ],
  ['an unknown verdict', { verdict: 'maybe' }, "1.1.1 has the unknown verdict 'maybe'"],
  ['no requirement text', { asks: ' ' }, '1.1.1 does not say what is asked'],
  ['the verdict held and no evidence', { evidence: [] }, '1.1.1 is held without evidence'],
  [
    'the verdict not held and no reason',
    { verdict: 'not held' },
    "1.1.1 is 'not held' without a reason",
  ],
  [
    'the verdict does not apply and no reason',
    { verdict: 'does not apply', why: ' ' },
    "1.1.1 is 'does not apply' without a reason",
  ],
])('an ASVS row with %s fails the check', (_what, change, complaint) => {
  const changed = allRows.map((row) => (row.id === '1.1.1' ? { ...row, ...change } : row));
  expect(complaintsAbout(changed, textOfPlanted)).toContain(complaint);
});

test('a missing ASVS row, a duplicate row and a row of level 3 fail the check', () => {
  const [first, ...others] = allRows;
  const level3: Row = { ...goodRow, id: '1.5.3' };
  expect(complaintsAbout(others, textOfPlanted)).toEqual(['1.1.1 has no row']);
  expect(complaintsAbout([...allRows, level3], textOfPlanted)).toEqual([
    '1.5.3 is no requirement of level 1 or 2',
  ]);
  expect(complaintsAbout([...allRows, ...(first ? [first] : [])], textOfPlanted)).toEqual([
    '1.1.1 has two rows',
  ]);
});

test('test titles that ASVS rows may quote are parsed from the source of a test file', () => {
  const text = [
    "test('is plain', () => {});",
    "  test.each(cases.map(([a]) => [a, ')']))(\n    'is of a table: %s', () => {});",
    "test.each<[string, () => void]>([['%s', () => {}]])('is of a typed table: %s', () => {});",
    "test.runIf(isSealed)('is run where \\'sealed\\'', () => {});",
    "describe.each(cases)('$name', () => {});",
    'test(`is of $' + '{where}`, async ({ page }) => {});',
    "expect(text).test('is no title');",
  ].join('\n');
  expect(titlesIn(text)).toEqual([
    { kind: 'test', title: 'is plain' },
    { kind: 'test', title: 'is of a table: %s' },
    { kind: 'test', title: 'is of a typed table: %s' },
    { kind: 'test', title: "is run where 'sealed'" },
    { kind: 'describe', title: '$name' },
    { kind: 'test', title: 'is of $' + '{where}' },
  ]);
});
