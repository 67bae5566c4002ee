import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { callsOf, givenShop, open, refused, siteConfig } from '../../../test/shop.tsx';

const [queryPath, setPath] = ['/api/user/budget/query', '/api/user/budget/set'];
const from = '2026-11-16T10:00:00.000Z';
// Formatted as on the page, in the time zone of the machine.
const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }).format(
  new Date(from),
);

function givenBudget(other: object = {}) {
  return { currency: 'USD', amountMinor: '5000', spentMinor: '1250', pending: null, ...other };
}

async function openBudget(budget: object, answer: object | Response = givenBudget()) {
  const calls = givenShop({ [queryPath]: budget, [setPath]: answer });
  await open('/main/account/user');
  const region = within(await screen.findByRole('region', { name: 'Monthly budget' }));
  return { calls, region, sent: () => callsOf(calls, setPath).map(({ body }) => body) };
}

type Region = Awaited<ReturnType<typeof openBudget>>['region'];

async function openDialog(region: Region, button: string) {
  fireEvent.click(await region.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog'));
}

const type = (dialog: Region, amount: string) =>
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: amount } });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the account page requests the monthly spending budget in the currency of the site and shows the amount left', async () => {
  const { calls, region } = await openBudget(givenBudget());
  await region.findByText('$12.50 of $50.00');
  region.getByText('$37.50 left');
  // On a slow machine the data is stale when it is shown, and requested again.
  expect(callsOf(calls, queryPath).map(({ body }) => body)).toContainEqual({ currency: 'USD' });
  const bar = document.querySelector<HTMLElement>('.budget-bar span');
  expect(bar?.style.width).toBe('25%');
});

test.each([
  ['5000', '5000'],
  ['5000', '6000'],
  ['0', '0'],
])(
  'the account page shows for a spending budget of %s minor units with %s spent that nothing is left',
  async (amountMinor, spentMinor) => {
    const { region } = await openBudget(givenBudget({ amountMinor, spentMinor }));
    await region.findByText('Nothing is left. You can buy again next month.');
    expect(document.querySelector<HTMLElement>('.budget-bar span')?.style.width).toBe('100%');
  },
);

test('the account page shows more left than the spending budget, and an empty bar, when refunds exceed purchases', async () => {
  const { region } = await openBudget(givenBudget({ spentMinor: '-500' }));
  await region.findByText('$55.00 left');
  expect(document.querySelector<HTMLElement>('.budget-bar span')?.style.width).toBe('0%');
});

test('the account page shows the amount spent to a player without a spending budget, and a first budget applies at once', async () => {
  const none = givenBudget({ amountMinor: null });
  const { region, sent } = await openBudget(none, givenBudget({ amountMinor: '3000' }));
  await region.findByText('No budget set');
  region.getByText('$12.50');
  expect(region.queryByRole('button', { name: 'Remove' })).toBeNull();

  const dialog = await openDialog(region, 'Set a budget');
  dialog.getByText(/A lower budget applies at once\. A higher one applies after 24 hours/);
  type(dialog, '30');
  dialog.getByText('Your budget will be $30.00 a month. This applies at once.');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your monthly budget is now $30.00.');
  expect(sent()).toEqual([{ amountMinor: '3000', currency: 'USD' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
  region.getByText('$12.50 of $30.00');
});

test('the account page announces before and after saving that a lower spending budget applies at once', async () => {
  const { region, sent } = await openBudget(givenBudget(), givenBudget({ amountMinor: '2000' }));
  const dialog = await openDialog(region, 'Change');
  type(dialog, '20.00');
  dialog.getByText('Your budget goes down to $20.00. This applies at once.');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your monthly budget is now $20.00.');
  expect(sent()).toEqual([{ amountMinor: '2000', currency: 'USD' }]);
});

test('the account page announces that a higher spending budget applies after 24 hours, and can cancel it until then', async () => {
  const answers = [givenBudget({ pending: { amountMinor: '8000', from } }), givenBudget()];
  const { region, sent } = await openBudget(givenBudget(), () => answers.shift() ?? {});
  const dialog = await openDialog(region, 'Change');
  type(dialog, '80');
  dialog.getByText('Your budget goes up to $80.00 in 24 hours. Until then, $50.00 applies.');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText(`Your monthly budget becomes $80.00 on ${time}.`);
  await region.findByText(`$80.00 from ${time}`);
  region.getByText('Until then, $50.00 applies.');
  region.getByText('$12.50 of $50.00');

  fireEvent.click(region.getByRole('button', { name: 'Keep $50.00' }));
  await screen.findByText('Your monthly budget stays at $50.00.');
  expect(region.queryByText(`$80.00 from ${time}`)).toBeNull();
  expect(sent()).toEqual([
    { amountMinor: '8000', currency: 'USD' },
    { amountMinor: '5000', currency: 'USD' },
  ]);
});

test('the account page removes a spending budget only after a dialog which says that it ends in 24 hours', async () => {
  const removed = givenBudget({ pending: { amountMinor: null, from } });
  const { region, sent } = await openBudget(givenBudget(), removed);
  let dialog = await openDialog(region, 'Remove');
  dialog.getByText(/The budget ends 24 hours from now/);
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([]);

  dialog = await openDialog(region, 'Remove');
  fireEvent.click(dialog.getByRole('button', { name: 'Remove in 24 hours' }));
  await screen.findByText(`Your monthly budget ends on ${time}.`);
  await region.findByText(`No budget from ${time}`);
  expect(sent()).toEqual([{ amountMinor: null, currency: 'USD' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(region.queryByRole('button', { name: 'Remove' })).toBeNull();
});

test('the budget dialog of the account page warns of a budget that does not exceed the amount already spent', async () => {
  const { region } = await openBudget(givenBudget());
  const dialog = await openDialog(region, 'Change');
  type(dialog, '12.51');
  expect(dialog.queryByText(/You have already spent/)).toBeNull();
  type(dialog, '12.50');
  dialog.getByText(/You have already spent \$12\.50 this month/);
});

test('the budget dialog of the account page marks a malformed budget as invalid and does not send it', async () => {
  const { region, sent } = await openBudget(givenBudget());
  const dialog = await openDialog(region, 'Change');
  for (const typed of ['', 'much', '1.000', '-5']) {
    type(dialog, typed);
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    const field = dialog.getByRole('textbox');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    dialog.getByText('Please enter a valid amount');
  }
  expect(sent()).toEqual([]);
});

test('a failed change of the budget on the account page shows an error and leaves the budget and the dialog as they were', async () => {
  const { region } = await openBudget(givenBudget(), refused('SystemBusy', 503));
  const dialog = await openDialog(region, 'Change');
  type(dialog, '20');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const alert = await dialog.findByRole('alert');
  expect(alert.textContent).toContain('Your monthly budget was not changed');
  expect(alert.textContent).toContain('The system is busy');
  region.getByText('$12.50 of $50.00');
});

test('the account page accepts and shows a spending budget in yen without decimals', async () => {
  const budget = givenBudget({ currency: 'JPY', amountMinor: '5000', spentMinor: '1250' });
  const calls = givenShop({ [queryPath]: budget, [setPath]: budget });
  await open('/main/account/user', { ...siteConfig, currency: 'JPY' });
  const region = within(await screen.findByRole('region', { name: 'Monthly budget' }));
  await region.findByText('¥1,250 of ¥5,000');
  const dialog = await openDialog(region, 'Change');
  type(dialog, '4,000');
  dialog.getByText('Your budget goes down to ¥4,000. This applies at once.');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(callsOf(calls, setPath)).toHaveLength(1));
  expect(callsOf(calls, setPath)[0]?.body).toEqual({ amountMinor: '4000', currency: 'JPY' });
});
