import { paymentsOfRecords, pointLots, pointRecord } from '@pointgate/contract/points.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orderNumber } from '../../../test/orders.ts';
import {
  callsOf,
  expectAddress,
  givenBalance,
  givenShop,
  open,
  player,
  refused,
} from '../../../test/shop.tsx';

const address = '/main/account/epoint';
const now = Date.parse('2026-11-15T10:00:00.000Z');
const balancePath = '/api/epoint/overage';

const topUp = orderNumber(1);
const purchase = orderNumber(2);
const rebate = orderNumber(3);

const entry = (seq: number, kind: string, changes: object) => ({
  seq,
  at: '2026-11-15T09:00:00.000Z',
  kind,
  basicChange: '0',
  presentChange: '0',
  basicAfter: '0',
  presentAfter: '0',
  paymentId: topUp,
  ...changes,
});
const history = [
  entry(3, 'gift', {
    presentChange: '250',
    basicAfter: '525',
    presentAfter: '250',
    paymentId: rebate,
  }),
  entry(2, 'spend', {
    basicChange: '-475',
    presentChange: '-80',
    basicAfter: '525',
    paymentId: purchase,
  }),
  entry(1, 'top_up', {
    basicChange: '1000',
    presentChange: '80',
    basicAfter: '1000',
    presentAfter: '80',
  }),
];
const payment = (paymentId: string, other: object) => ({
  paymentId,
  kind: 'points',
  status: 'FullyPaid',
  record: 4,
  shown: 'Fulfilled',
  itemName: '1,000 E Points',
  itemArt: 'coin2',
  gameName: null,
  serverName: null,
  roleName: null,
  ...other,
});
const payments = [
  payment(topUp, {}),
  payment(purchase, {
    kind: 'item',
    itemName: '300 Lumen Shards',
    gameName: 'Solmere',
    serverName: 'Dawnreach',
    roleName: 'Aveline',
  }),
];
const gifts = [{ giftId: rebate, reason: 'rebate', campaignName: 'Harvest', paymentId: purchase }];
const records = (found: object[], other: object = {}) => ({
  records: found,
  page: 1,
  pageSize: 20,
  hasMore: false,
  ...other,
});
const lots = {
  lots: [
    lot('present', '120', '2026-11-18T10:00:00.000Z'),
    lot('present', '130', '2027-02-01T10:00:00.000Z'),
    lot('basic', '525', null),
  ],
  hasMore: false,
};
function lot(bucket: string, remaining: string, expiresAt: string | null, isFrozen = false) {
  return { bucket, remaining, expiresAt, isFrozen };
}

const givenPoints = (other: Parameters<typeof givenShop>[0] = {}) =>
  givenShop({
    [pointRecord.path]: records(history),
    [paymentsOfRecords.path]: { payments, gifts },
    [pointLots.path]: lots,
    [balancePath]: givenBalance({ basicNum: 525, presentNum: 250 }),
    ...other,
  });

const section = async (name: string) => within(await screen.findByRole('region', { name }));
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Changes' })).getAllByRole('listitem');
const textOf = (row: Element | undefined, part: string) =>
  row?.querySelector(part)?.textContent ?? null;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[S2.14] /main/account/epoint lists E Point changes with kind, bought and bonus parts, balances and order', async () => {
  const calls = givenPoints();
  await open(address);
  await screen.findByRole('heading', { name: 'E Point record', level: 1 });
  await waitFor(() => expect(document.title).toBe('E Point record - Omni'));
  await screen.findByRole('link', { name: '300 Lumen Shards' });
  expect(
    (await rows()).map((row) =>
      ['.point-kind', '.point-about', '.point-sum', '.point-parts', '.point-after dd'].map((part) =>
        textOf(row, part),
      ),
    ),
  ).toEqual([
    [
      'Gift',
      'Harvest · Reached with this order',
      '+250',
      '+250 bonus',
      '775 525 bought + 250 bonus',
    ],
    [
      'Purchase',
      '300 Lumen Shards · Aveline · Dawnreach',
      '-555',
      '-475 bought-80 bonus',
      '525 525 bought + 0 bonus',
    ],
    [
      'Top-up',
      '1,000 E Points',
      '+1,080',
      '+1,000 bought+80 bonus',
      '1,080 1,000 bought + 80 bonus',
    ],
  ]);
  const link = screen.getByRole('link', { name: '300 Lumen Shards' });
  expect(link.getAttribute('href')).toBe(`/main/recharge/detail/${purchase}`);
  expect(callsOf(calls, paymentsOfRecords.path).map(({ body }) => body)).toEqual([
    { paymentIds: [rebate, purchase, topUp] },
  ]);
});

test.each([
  ['claw_back', { basicChange: '-100' }, 'Taken back', 'What they were given for was refunded'],
  ['restore', { basicChange: '100' }, 'Given back', 'The refund did not go through'],
  ['expiry', { presentChange: '-5' }, 'Expired', 'Their time was over'],
  ['refund', { basicChange: '5' }, 'Refund', null],
])(
  'the E Point record page shows an E Point change of kind %s with its label and reason',
  async (kind, changes, word, why) => {
    givenPoints({ [pointRecord.path]: records([entry(4, kind, changes)]) });
    await open(address);
    await screen.findByRole('link', { name: '1,000 E Points' });
    const [row] = await rows();
    expect(textOf(row, '.point-kind')).toBe(word);
    expect(textOf(row, '.point-about')).toBe(
      why === null ? '1,000 E Points' : `1,000 E Points · ${why}`,
    );
  },
);

test.each([
  ['gift', 'rebate', 'Harvest · Reached with this order'],
  ['gift', 'code', 'Redeemed code'],
  ['claw_back', 'rebate', 'Harvest · What they were given for was refunded'],
  ['expiry', 'code', 'Redeemed code · Their time was over'],
] as const)(
  'the E Point record page explains a change of kind %s that concerns a gift from a %s as "%s"',
  async (kind, reason, words) => {
    const paymentId = reason === 'rebate' ? purchase : null;
    const campaignName = reason === 'rebate' ? 'Harvest' : null;
    givenPoints({
      [pointRecord.path]: records([entry(4, kind, { presentChange: '5', paymentId: rebate })]),
      [paymentsOfRecords.path]: {
        payments: [],
        gifts: [{ giftId: rebate, reason, campaignName, paymentId }],
      },
    });
    await open(address);
    await waitFor(async () => expect(textOf((await rows())[0], '.point-about')).toBe(words));
    const link = screen.queryByRole('link', { name: 'Reached with this order' });
    const isLinked = kind === 'gift' && reason === 'rebate';
    expect(link?.getAttribute('href') ?? null).toBe(
      isLinked ? `/main/recharge/detail/${purchase}` : null,
    );
  },
);

test('the E Point record page shows a negative balance after a change that left the player in E Point debt', async () => {
  const left = { basicChange: '-180', basicAfter: '-80', presentAfter: '20' };
  givenPoints({ [pointRecord.path]: records([entry(4, 'claw_back', left)]) });
  await open(address);
  const [row] = await rows();
  expect(textOf(row, '.point-after dd')).toBe('-60 -80 bought + 20 bonus');
});

test('the E Point record page can be filtered by income and expense, and the URL keeps the filter', async () => {
  const calls = givenPoints({
    [pointRecord.path]: ({ body }) => {
      const { type } = pointRecord.body.parse(body);
      if (type === 'income') return records(history.filter(({ kind }) => kind !== 'spend'));
      return records(type === 'all' ? history : []);
    },
  });
  await open(`${address}?from=mail`);
  expect(await rows()).toHaveLength(3);
  fireEvent.click(screen.getByRole('button', { name: 'Income' }));
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  expectAddress(`${address}?from=mail&type=income`);
  expect(screen.getByRole('button', { name: 'Income' }).getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Expense' }));
  await screen.findByText('No expense yet');
  expectAddress(`${address}?from=mail&type=expense`);
  fireEvent.click(screen.getByRole('button', { name: 'All' }));
  expectAddress(`${address}?from=mail`);
  expect(callsOf(calls, pointRecord.path).map(({ body }) => body)).toContainEqual({
    page: 1,
    type: 'income',
  });
});

test('the E Point record page of an account without E Points has empty sections and a link to the E Point top-up', async () => {
  givenPoints({
    [pointRecord.path]: records([]),
    [pointLots.path]: { lots: [], hasMore: false },
    [balancePath]: givenBalance({ basicNum: 0, presentNum: 0 }),
  });
  await open(address);
  const changes = await section('Changes');
  await changes.findByText('No changes yet');
  const link = changes.getByRole('link', { name: 'Top up E Points' });
  expect(link.getAttribute('href')).toBe('/main/recharge?to=epoint');
  await (await section('When they expire')).findByText('No E Points yet');
});

test('[S8.16] an E Point record that fails to load shows an error and can be reloaded', async () => {
  let isDown = true;
  givenPoints({
    [pointRecord.path]: () => (isDown ? refused('SystemBusy', 503) : records(history)),
  });
  await open(address);
  const changes = await section('Changes');
  const alert = await changes.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the E Point record');
  isDown = false;
  fireEvent.click(changes.getByRole('button', { name: 'Try again' }));
  expect(await rows()).toHaveLength(3);
  expect(document.activeElement).toBe(changes.getByRole('heading', { name: 'Changes' }));
});

test('[S8.16] the E Point record page stays visible when the balance above fails to load, which is logged and shown as an error', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenPoints({
    [balancePath]: () => (isDown ? refused('SystemBusy', 503) : givenBalance()),
  });
  await open(address);
  const head = await section('Your E Points');
  const alert = await head.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the E Point balance');
  expect(logged).toHaveBeenCalledWith('The E Point balance cannot be read.', expect.any(Error));
  expect(await rows()).toHaveLength(3);
  isDown = false;
  fireEvent.click(head.getByRole('button', { name: 'Try again' }));
  expect(await head.findAllByText('1,240')).not.toEqual([]);
});

test('the balance section of the E Point record page shows bought, bonus and spendable E Points separately', async () => {
  givenPoints();
  await open(address);
  const head = await section('Your E Points');
  await head.findAllByText('775');
  expect(head.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '525',
    '250',
    '775',
  ]);
  expect(head.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Bought',
    'Bonus',
    'Ready to spend',
  ]);
});

test('the balance section of the E Point record page shows an E Point debt and E Points on hold with an explanation', async () => {
  givenPoints({
    [balancePath]: givenBalance({ basicNum: -80, presentNum: 200, frozenNum: 50 }),
  });
  await open(address);
  const head = await section('Your E Points');
  await head.findByText('120');
  const parts = Object.fromEntries(
    head
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
  expect(parts).toEqual({
    Bought: '0',
    Bonus: '200',
    'On hold': '50',
    Owed: '-80',
    'Ready to spend': '0',
  });
  screen.getByText('You owe 80 E Points.');
  screen.getByText('50 E Points on hold');
});

test('the E Point record page of a player without a game account requests no E Point balance and shows no error', async () => {
  const calls = givenPoints({ '/api/user/info': { ...player, gameAccountId: null } });
  await open(address);
  expect(await rows()).toHaveLength(3);
  expect(callsOf(calls, balancePath)).toEqual([]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the expiry list of the E Point record page is sorted by date, marks E Points that expire soon and ends with permanent ones', async () => {
  givenPoints();
  await open(address);
  const ends = await section('When they expire');
  await ends.findByText('120 bonus E Points expire on Nov 18, 2026');
  const items = ends.getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    '120 bonus E Points expire on Nov 18, 20263 days left',
    '130 bonus E Points expire on Feb 1, 202778 days left',
    '525 bought E Points never expire',
  ]);
  expect(items.map(({ dataset }) => dataset.soon)).toEqual(['true', undefined, undefined]);
});

test('the expiry list of the E Point record page adds up E Points that expire on the same day, but not those on hold', async () => {
  givenPoints({
    [pointLots.path]: {
      lots: [
        lot('present', '100', '2026-12-18T10:00:00.000Z'),
        lot('present', '20', '2026-12-18T10:00:05.000Z'),
        lot('present', '3', '2026-12-18T10:00:05.000Z', true),
        lot('present', '4', '2026-12-20T10:00:00.000Z'),
      ],
      hasMore: false,
    },
  });
  await open(address);
  const ends = await section('When they expire');
  await ends.findByText('120 bonus E Points expire on Dec 18, 2026');
  expect(ends.getAllByRole('listitem')).toHaveLength(3);
});

test('the expiry list of the E Point record page has texts for a single E Point, for E Points on hold and for a cut-off list', async () => {
  givenPoints({
    [pointLots.path]: {
      lots: [lot('present', '1', '2026-12-18T10:00:00.000Z'), lot('basic', '5', null, true)],
      hasMore: true,
    },
  });
  await open(address);
  const ends = await section('When they expire');
  await ends.findByText('1 bonus E Point expires on Dec 18, 2026');
  expect(ends.getAllByRole('listitem')[1]?.textContent).toBe(
    '5 bought E Points never expire · On hold',
  );
  ends.getByText('More of them expire later.');
});

test('the expiry list of the E Point record page shows an error when it fails to load, and can be reloaded', async () => {
  let isDown = true;
  givenPoints({ [pointLots.path]: () => (isDown ? refused('SystemBusy', 503) : lots) });
  await open(address);
  const ends = await section('When they expire');
  expect((await ends.findByRole('alert')).textContent).toContain('Failed to get the expiry dates');
  isDown = false;
  fireEvent.click(ends.getByRole('button', { name: 'Try again' }));
  await ends.findByText('525 bought E Points never expire');
  expect(document.activeElement).toBe(ends.getByRole('heading', { name: 'When they expire' }));
});

test('the E Point record page shows skeletons while it is loading', async () => {
  const never = () => new Promise<object>(() => {});
  givenPoints({ [pointRecord.path]: never, [pointLots.path]: never, [balancePath]: never });
  await open(address);
  await waitFor(() => expect(document.querySelectorAll('.point-row-skeleton')).toHaveLength(5));
  expect(document.querySelector('.lots-skeleton')).not.toBeNull();
  expect(document.querySelector('.balance-head-skeleton')).not.toBeNull();
});

test('the E Point record page is shown without the names of its orders when these fail to load', async () => {
  let isDown = true;
  givenPoints({
    [paymentsOfRecords.path]: () => (isDown ? refused('SystemBusy', 503) : { payments, gifts }),
  });
  await open(address);
  expect(await rows()).toHaveLength(3);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('The names of some orders could not be loaded');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: '300 Lumen Shards' });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the E Point record page loads a further page of changes on demand and shows a change repeated on that page once', async () => {
  const [newest, middle, oldest] = history;
  const calls = givenPoints({
    [pointRecord.path]: ({ body }) => {
      const { page } = pointRecord.body.parse(body);
      return page === 1
        ? records([newest ?? {}, middle ?? {}], { hasMore: true })
        : records([middle ?? {}, oldest ?? {}], { page });
    },
  });
  await open(address);
  expect(await rows()).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(async () => expect(await rows()).toHaveLength(3));
  expect(callsOf(calls, pointRecord.path).map(({ body }) => body)).toEqual([
    { page: 1, type: 'all' },
    { page: 2, type: 'all' },
  ]);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('the E Point record page keeps loaded changes when the next page fails', async () => {
  givenPoints({
    [pointRecord.path]: ({ body }) =>
      pointRecord.body.parse(body).page === 1
        ? records(history, { hasMore: true })
        : refused('SystemBusy', 503),
  });
  await open(address);
  await rows();
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Failed to get the E Point record',
  );
  expect(await rows()).toHaveLength(3);
});

test('the E Point record page offers the E Point ledger and its checker for download and shows the command for the check', async () => {
  givenPoints();
  await open(address);
  const ledger = await section('Check it yourself');
  expect(ledger.getByRole('link', { name: 'Download ledger' }).getAttribute('href')).toBe(
    '/api/epoint/ledger.txt',
  );
  expect(ledger.getByRole('link', { name: 'Download checker' }).getAttribute('href')).toBe(
    '/verify-ledger.mjs',
  );
  ledger.getByText('node verify-ledger.mjs epoint-ledger.txt');
});
