import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyticsEnvironment } from '../../test/analytics.ts';
import { tell } from '../../test/analytics-db.ts';
import { operate as operateShop } from '../../test/operate.ts';
import { givenPlacedOrder } from '../../test/orders.ts';
import { operateByProgram } from '../../test/processes.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...analyticsEnvironment() });
});
afterAll(() => shop.closeAll());

const silent = { environment: { LOG_LEVEL: 'silent' } };
const operate = (...args: string[]) => operateShop(shop, args, silent);

const linesOf = ({ out }: { out: string }): { id: string; position: string }[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('operator commands print the analytics funnel of a day and export the analytics events after a given position', async () => {
  const ids = await tell(shop.analytics, [{}, {}, {}]);
  const { order } = await givenPlacedOrder(shop.db);
  const day = order.created_at.toISOString().slice(0, 10);
  const funnel = await operate('funnel', 'solmere', day);
  expect(JSON.parse(funnel.out)).toMatchObject({ topUps: 1, created: 1, paid: 0 });

  const first = await eventually(async () => {
    const lines = linesOf(await operate('export-events', '--amount', '2'));
    return lines.length === 2 && lines;
  });
  const after = first.at(-1)?.position ?? '';
  const rest = linesOf(await operateByProgram(shop, ['export-events', '--after', after], silent));
  expect([...first, ...rest].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const last = rest.at(-1)?.position ?? '';
  expect(await operate('export-events', '--after', last)).toEqual({
    status: 0,
    out: '',
    complaint: '',
  });
});

test('an operator command for the analytics funnel or export fails with an explanation of its invalid arguments', async () => {
  for (const [args, words, status] of [
    [['funnel', 'nobody', '2026-11-14'], 'there is no site nobody\n', 1],
    [['funnel', 'solmere', '2026-02-31'], '<day> 2026-02-31 is no day as 2026-11-14 is\n', 2],
    [['export-events', '--after', 'x'], '--after x is no position\n', 2],
    [['export-events', '--amount', '0'], '--amount 0 is no number of events\n', 2],
  ] as const) {
    expect(await operate(...args)).toEqual({ status, out: '', complaint: words });
  }
});
