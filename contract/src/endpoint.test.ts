import { expect, test } from 'vitest';
import { bulletinDetail } from './bulletins.ts';
import { addressOf } from './endpoint.ts';
import { supportLink } from './support.ts';
import { serverTime } from './time.ts';

test('the URL of an API endpoint contains its path parameters, and the other parameters as its query', () => {
  expect(addressOf(serverTime)).toBe('/api/time');
  expect(addressOf(bulletinDetail, { id: 'tidefall' })).toBe('/api/bulletin/detail/tidefall');
  expect(addressOf(supportLink, { paymentId: 'p1' })).toBe('/api/crm/url/get?paymentId=p1');
  expect(addressOf(supportLink, {})).toBe('/api/crm/url/get');
});

test('a path or query parameter cannot change which API endpoint is called', () => {
  expect(addressOf(bulletinDetail, { id: '../../user/logout?x#y' })).toBe(
    '/api/bulletin/detail/..%2F..%2Fuser%2Flogout%3Fx%23y',
  );
  expect(addressOf(supportLink, { paymentId: 'a&b=c' })).toBe(
    '/api/crm/url/get?paymentId=a%26b%3Dc',
  );
});
