import { expect } from '@playwright/test';
import { answer, open, screensOf, type TestPage, waitForText } from './screen.ts';

const info = '/main/account/user';
const orders = '/main/account/recharge';
const points = '/main/account/epoint';
const parts = /\/api\/user\/(real|budget|passkey|session|security)/;

const someCodes = [
  ...['G7KD-9XMP-3TWR-CV25', 'A2CE-4FGH-5JKM-6NPR', 'T7VW-9XYA-2CDE-3FGH', 'J4KM-5NPR-6TVW-7XYA'],
  ...['C9DE-2FGH-3JKM-4NPR', 'V5WX-6YAC-7DEF-9GHJ', 'K2MN-3PRT-4VWX-5YAC', 'D6EF-7GHJ-9KMN-2PRT'],
  ...['W3XY-4ACD-5EFG-6HJK', 'M7NP-9RTV-2WXY-3ACD'],
];

async function openDialog(testPage: TestPage, opener: string): Promise<void> {
  await open(testPage, info);
  await testPage.page.getByRole('button', { name: opener, exact: true }).click();
  await expect(testPage.page.getByRole('dialog')).toBeVisible();
}

export const accountScreens = [
  ...screensOf('Account info', 'aveline', {
    full: (testPage) => open(testPage, info),
    'no real name': { viewer: 'kaito', arrange: (testPage) => open(testPage, info) },
    'a monthly budget': (testPage) => openDialog(testPage, 'Set a budget'),
    'a monthly budget that was reached': async (testPage) => {
      await testPage.modifyReplies(/\/api\/user\/budget\/query/, (data) => ({
        ...data,
        amountMinor: '2000',
        spentMinor: '2498',
        pending: { amountMinor: '5000', from: new Date(Date.now() + 86_400_000).toISOString() },
      }));
      await open(testPage, info);
      await waitForText(testPage, 'Nothing is left');
    },
    'a passkey': (testPage) => openDialog(testPage, 'Add a passkey'),
    'another password': (testPage) => openDialog(testPage, 'Change password'),
    'another email': (testPage) => openDialog(testPage, 'Change email'),
    'another phone': (testPage) => openDialog(testPage, 'Change phone number'),
    'without the phone': (testPage) => openDialog(testPage, 'Remove phone number'),
    'one way back left, and codes': async (testPage) => {
      await testPage.modifyReplies(/\/api\/user\/security/, (data) => ({
        ...data,
        email: { masked: 'a***@example.com', canBeRemoved: false },
        phone: null,
        recoveryCodes: { unused: 7, madeAt: '2026-11-02T10:00:00.000Z' },
      }));
      await open(testPage, info);
      await waitForText(testPage, '7 of 10 left');
    },
    'recovery codes': (testPage) => openDialog(testPage, 'Make recovery codes'),
    'recovery codes that were made': async (testPage) => {
      await answer(testPage, '**/api/user/recovery-code/make', { codes: someCodes });
      await openDialog(testPage, 'Make recovery codes');
      await testPage.page.getByLabel('Current password', { exact: true }).fill('Dawn-58-reach');
      await testPage.page.getByRole('button', { name: 'Show my codes', exact: true }).click();
      await waitForText(testPage, 'Your recovery codes');
    },
    loading: async (testPage) => {
      await testPage.hold(parts);
      await open(testPage, info);
    },
    'parts did not come': async (testPage) => {
      await testPage.cut(parts);
      await open(testPage, info);
      await waitForText(testPage, 'Failed to get the real-name information');
    },
  }),
  ...screensOf('Recharge record', 'aveline', {
    full: async (testPage) => {
      await testPage.orders();
      await open(testPage, orders);
    },
    'no orders yet': { viewer: 'kaito', arrange: (testPage) => open(testPage, orders) },
    'nothing fits the filters': async (testPage) => {
      await testPage.orders();
      await open(testPage, `${orders}?status=Refunded&kind=points`);
      await waitForText(testPage, 'No orders match these filters');
    },
    loading: async (testPage) => {
      await testPage.hold(/\/api\/payment\//);
      await open(testPage, orders);
    },
    'the list did not come': async (testPage) => {
      await testPage.cut(/\/api\/payment\//);
      await open(testPage, orders);
      await waitForText(testPage, 'Failed to get the order list');
    },
  }),
  ...screensOf('E Point record', 'aveline', {
    full: async (testPage) => {
      await testPage.orders();
      await open(testPage, points);
    },
    'no changes yet': { viewer: 'kaito', arrange: (testPage) => open(testPage, points) },
    loading: async (testPage) => {
      await testPage.hold(/\/api\/epoint\//);
      await open(testPage, points);
    },
    'the list did not come': async (testPage) => {
      await testPage.cut(/\/api\/epoint\//);
      await open(testPage, points);
      await waitForText(testPage, 'Failed to get the E Point record');
    },
  }),
];
