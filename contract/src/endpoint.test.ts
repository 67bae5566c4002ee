import { expect, test } from 'vitest';
import { bulletinDetail } from './bulletins.ts';
import { addressOf } from './endpoint.ts';
import { supportLink } from './support.ts';
import { serverTime } from './time.ts';

test('the address of a call has its parts filled in, and the rest as its query', () => {
  expect(addressOf(serverTime)).toBe('/api/time');
  expect(addressOf(bulletinDetail, { id: 'tidefall' })).toBe('/api/bulletin/detail/tidefall');
  expect(addressOf(supportLink, { paymentId: 'p1' })).toBe('/api/crm/url/get?paymentId=p1');
  expect(addressOf(supportLink, {})).toBe('/api/crm/url/get');
});

test('nothing that is filled in can lead to another call', () => {
  expect(addressOf(bulletinDetail, { id: '../../user/logout?x#y' })).toBe(
    '/api/bulletin/detail/..%2F..%2Fuser%2Flogout%3Fx%23y',
  );
  expect(addressOf(supportLink, { paymentId: 'a&b=c' })).toBe(
    '/api/crm/url/get?paymentId=a%26b%3Dc',
  );
});
