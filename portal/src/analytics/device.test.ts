import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pageKey } from '../../test/logger.ts';
import { callsOf, givenShop, refused } from '../../test/shop.tsx';
import { forget } from '../session/kept.ts';
import { deviceKey, renewKey } from './device.ts';

const other = { ...pageKey, did: '01930000-0000-7000-8000-000000000002' };

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('[S9.02] the device id', () => {
  test('is made at random for a browser that has none, and stays', () => {
    expect(deviceKey(pageKey)).toEqual(pageKey);
    expect(deviceKey(other)).toEqual(pageKey);
  });

  test.each([
    'x',
    '7',
    '[]',
    '{}',
    'null',
    JSON.stringify({ ...pageKey, did: 'pia@example.com' }),
    JSON.stringify({ ...pageKey, key: '' }),
    JSON.stringify({ did: pageKey.did }),
  ])('is made anew where something else is kept, such as %s', (kept) => {
    localStorage.setItem('pointgate.device', kept);
    expect(deviceKey(other)).toEqual(other);
    expect(deviceKey(pageKey)).toEqual(other);
  });

  test('is of this page only, where a browser keeps nothing', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(refuse);
    expect(deviceKey(pageKey)).toEqual(pageKey);
    expect(deviceKey(other)).toEqual(pageKey);
    forget('localStorage', 'pointgate.device');
  });
});

test('a device asks for a key of today by its id, and keeps it', async () => {
  const renewed = { ...pageKey, kid: 'k2', key: 'ab'.repeat(32) };
  const calls = givenShop({ '/api/log/key': renewed });
  deviceKey(pageKey);
  expect(await renewKey(pageKey)).toEqual(renewed);
  expect(callsOf(calls, '/api/log/key')).toMatchObject([{ body: { did: pageKey.did } }]);
  expect(deviceKey(other)).toEqual(renewed);
});

test('a key that is not to be had is missed by nobody', async () => {
  givenShop({ '/api/log/key': refused('SystemBusy', 503) });
  deviceKey(pageKey);
  expect(await renewKey(pageKey)).toBeNull();
  expect(deviceKey(other)).toEqual(pageKey);
});
