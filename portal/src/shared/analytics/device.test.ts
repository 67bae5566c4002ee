import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pageKey } from '../../../test/logger.ts';
import { callsOf, givenShop, refused } from '../../../test/shop.tsx';
import { forget } from '../browser/kept.ts';
import { deviceKey, renewKey } from './device.ts';

const other = { ...pageKey, did: '01930000-0000-7000-8000-000000000002' };

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('[S9.02] device id', () => {
  test('a browser without a stored analytics device id stores the id delivered with the page and keeps it on later pages', () => {
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
  ])('a malformed stored signing key of the analytics device is replaced: %s', (kept) => {
    localStorage.setItem('pointgate.device', kept);
    expect(deviceKey(other)).toEqual(other);
    expect(deviceKey(pageKey)).toEqual(other);
  });

  test('an analytics device id lasts as long as the page when localStorage is unavailable', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(refuse);
    expect(deviceKey(pageKey)).toEqual(pageKey);
    expect(deviceKey(other)).toEqual(pageKey);
    forget('localStorage', 'pointgate.device');
  });
});

test('the portal requests the current analytics signing key by the stored device id and stores the key', async () => {
  const renewed = { ...pageKey, kid: 'k2', key: 'ab'.repeat(32) };
  const calls = givenShop({ '/api/log/key': renewed });
  deviceKey(pageKey);
  expect(await renewKey(pageKey)).toEqual(renewed);
  expect(callsOf(calls, '/api/log/key')).toMatchObject([{ body: { did: pageKey.did } }]);
  expect(deviceKey(other)).toEqual(renewed);
});

test('a failed renewal of the analytics signing key returns null and keeps the previous key', async () => {
  givenShop({ '/api/log/key': refused('SystemBusy', 503) });
  deviceKey(pageKey);
  expect(await renewKey(pageKey)).toBeNull();
  expect(deviceKey(other)).toEqual(pageKey);
});
