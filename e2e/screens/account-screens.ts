import { expect } from '@playwright/test';
import { open, type Stage, says, screensOf } from './screen.ts';

const info = '/main/account/user';
const orders = '/main/account/recharge';
const points = '/main/account/epoint';
const parts = /\/api\/user\/(real|budget|passkey|session)/;

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
