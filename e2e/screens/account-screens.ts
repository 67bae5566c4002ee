import { expect } from '@playwright/test';
import { answer, open, type Stage, says, screensOf } from './screen.ts';

const info = '/main/account/user';
const orders = '/main/account/recharge';
const points = '/main/account/epoint';
const parts = /\/api\/user\/(real|budget|passkey|session|security)/;

const someCodes = [
  ...['G7KD-9XMP-3TWR-CV25', 'A2CE-4FGH-5JKM-6NPR', 'T7VW-9XYA-2CDE-3FGH', 'J4KM-5NPR-6TVW-7XYA'],
  ...['C9DE-2FGH-3JKM-4NPR', 'V5WX-6YAC-7DEF-9GHJ', 'K2MN-3PRT-4VWX-5YAC', 'D6EF-7GHJ-9KMN-2PRT'],
  ...['W3XY-4ACD-5EFG-6HJK', 'M7NP-9RTV-2WXY-3ACD'],
];

async function openDialog(stage: Stage, opener: string): Promise<void> {
  await open(stage, info);
  await stage.page.getByRole('button', { name: opener, exact: true }).click();
  await expect(stage.page.getByRole('dialog')).toBeVisible();
}

export const accountScreens = [
  ...screensOf('Account info', 'aveline', {
    full: (stage) => open(stage, info),
    'no real name': { viewer: 'kaito', arrange: (stage) => open(stage, info) },
    'a monthly budget': (stage) => openDialog(stage, 'Set a budget'),
    'a monthly budget that was reached': async (stage) => {
      await stage.retell(/\/api\/user\/budget\/query/, (data) => ({
        ...data,
        amountMinor: '2000',
        spentMinor: '2498',
        pending: { amountMinor: '5000', from: new Date(Date.now() + 86_400_000).toISOString() },
      }));
      await open(stage, info);
      await says(stage, 'Nothing is left');
    },
    'a passkey': (stage) => openDialog(stage, 'Add a passkey'),
    'another password': (stage) => openDialog(stage, 'Change password'),
    'another email': (stage) => openDialog(stage, 'Change email'),
    'another phone': (stage) => openDialog(stage, 'Change phone number'),
    'without the phone': (stage) => openDialog(stage, 'Remove phone number'),
    'one way back left, and codes': async (stage) => {
      await stage.retell(/\/api\/user\/security/, (data) => ({
        ...data,
        email: { masked: 'a***@example.com', canBeRemoved: false },
        phone: null,
        recoveryCodes: { unused: 7, madeAt: '2026-11-02T10:00:00.000Z' },
      }));
      await open(stage, info);
      await says(stage, '7 of 10 left');
    },
    'recovery codes': (stage) => openDialog(stage, 'Make recovery codes'),
    'recovery codes that were made': async (stage) => {
      await answer(stage, '**/api/user/recovery-code/make', { codes: someCodes });
      await openDialog(stage, 'Make recovery codes');
      await stage.page.getByLabel('Current password', { exact: true }).fill('Dawn-58-reach');
      await stage.page.getByRole('button', { name: 'Show my codes', exact: true }).click();
      await says(stage, 'Your recovery codes');
    },
    loading: async (stage) => {
      await stage.hold(parts);
      await open(stage, info);
    },
    'parts did not come': async (stage) => {
      await stage.cut(parts);
      await open(stage, info);
      await says(stage, 'Failed to get the real-name information');
    },
  }),
  ...screensOf('Recharge record', 'aveline', {
    full: async (stage) => {
      await stage.orders();
      await open(stage, orders);
    },
    'no orders yet': { viewer: 'kaito', arrange: (stage) => open(stage, orders) },
    'nothing fits the filters': async (stage) => {
      await stage.orders();
      await open(stage, `${orders}?status=Refunded&kind=points`);
      await says(stage, 'No orders match these filters');
    },
    loading: async (stage) => {
      await stage.hold(/\/api\/payment\//);
      await open(stage, orders);
    },
    'the list did not come': async (stage) => {
      await stage.cut(/\/api\/payment\//);
      await open(stage, orders);
      await says(stage, 'Failed to get the order list');
    },
  }),
  ...screensOf('E Point record', 'aveline', {
    full: async (stage) => {
      await stage.orders();
      await open(stage, points);
    },
    'no changes yet': { viewer: 'kaito', arrange: (stage) => open(stage, points) },
    loading: async (stage) => {
      await stage.hold(/\/api\/epoint\//);
      await open(stage, points);
    },
    'the list did not come': async (stage) => {
      await stage.cut(/\/api\/epoint\//);
      await open(stage, points);
      await says(stage, 'Failed to get the E Point record');
    },
  }),
];
