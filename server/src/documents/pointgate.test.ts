import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { demoFolder } from '../../test/demo.ts';
import { operate } from '../operators/operators.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pointgate-new-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Types a command with no shop anywhere. */
async function pointgate(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const status = await operate({
    program: 'pointgate',
    args,
    environment: {},
    stdin: Readable.from([]),
    stdout,
    stderr,
  });
  stdout.end();
  stderr.end();
  return { status, out: await text(stdout), complaint: await text(stderr) };
}

const newShop = ['--name', 'Acme Games', '--game', 'starfall', '--host', 'shop.acme.example'];

test('the shop folder of the demo has nothing to correct', async () => {
  const { status, out, complaint } = await pointgate('check', demoFolder);
  expect([status, complaint]).toEqual([0, '']);
  expect(out).toContain('nothing to correct in 6 games, 72 items, 8 packs, 4 sites, 4 coupons');
});

test('a new folder of a publisher, with another game and site, has nothing to correct', async () => {
  const folder = join(home, 'shop');
  const at = ['--id', 'moonrise', '--currency', 'JPY'];
  expect(await pointgate('new', 'publisher', folder, ...newShop)).toMatchObject({ status: 0 });
  expect(await pointgate('new', 'game', folder, ...at)).toMatchObject({ status: 0, complaint: '' });
  expect(await pointgate('new', 'site', folder, ...at, '--game', 'moonrise')).toMatchObject({
    status: 0,
  });
  const { status, out } = await pointgate('check', folder);
  expect([status, out]).toEqual([0, expect.stringContaining('2 games, 4 items, 0 packs, 2 sites')]);
  expect(readFileSync(join(folder, 'shop.yaml'), 'utf8')).toMatch(
    /^# yaml-language-server: .*\n# /,
  );
});

test.each(['CNY', 'EUR', 'HKD', 'JPY', 'KRW', 'THB', 'TWD', 'USD', 'VND'])(
  'the prices of a new folder in %s can be charged by card',
  async (currency) => {
    const made = await pointgate('new', 'publisher', home, ...newShop, '--currency', currency);
    expect(made).toMatchObject({ status: 0, complaint: '' });
  },
);

test('a new game changes no file that exists, and needs a folder with a shop', async () => {
  await pointgate('new', 'publisher', home, ...newShop);
  const mine = '# mine\n';
  writeFileSync(join(home, 'games/starfall/game.yaml'), mine);
  const again = await pointgate('new', 'game', home, '--id', 'starfall');
  expect(again).toMatchObject({
    status: 1,
    complaint: expect.stringContaining('is there already'),
  });
  expect(readFileSync(join(home, 'games/starfall/game.yaml'), 'utf8')).toBe(mine);
  expect(await pointgate('new', 'publisher', home, ...newShop)).toMatchObject({ status: 1 });
  const nowhere = await pointgate('new', 'game', join(home, 'none'), '--id', 'starfall');
  expect(nowhere.complaint).toContain('has no shop.yaml');
});

test('a check of a wrong folder prints its faults, as text or JSON, and exits with the status 1', async () => {
  await pointgate('new', 'publisher', home, ...newShop);
  writeFileSync(join(home, 'groups.yaml'), 'packs: {de-DE: Pakete}\n');
  const told = 'groups.yaml:1:8 packs has no en-US: ';
  const { status, out, complaint } = await pointgate('check', home);
  expect([status, complaint]).toEqual([1, `1 to correct in ${home}\n`]);
  expect(out).toContain(told);
  const json = await pointgate('check', home, '--json');
  expect(json.status).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({
    complaints: [{ file: 'groups.yaml', line: 1, column: 8, field: 'packs' }],
  });
});

test('a pointgate command that cannot be understood exits with the status 2 and one sentence of explanation', async () => {
  expect(await pointgate('check', join(home, 'none'))).toMatchObject({ status: 2, out: '' });
  expect((await pointgate('chekc')).complaint).toContain('The nearest: check.');
  expect((await pointgate('refund')).complaint).toBe('refund is a command of npm run operate --\n');
  expect((await pointgate('new', 'shop', home)).complaint).toContain(
    'is not publisher, game or site',
  );
  const { status, out } = await pointgate('help', 'check');
  expect([status, out]).toEqual([
    0,
    expect.stringContaining('npm run pointgate -- check demo/shop'),
  ]);
});
