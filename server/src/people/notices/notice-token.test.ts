import { expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { openNoticeTokens } from './notice-token.ts';

const tokens = openNoticeTokens('a secret of the tests');

test('the token in the link of a security notice mail names its notice and is the same whenever it is made', () => {
  const noticeId = newId();
  const token = tokens.tokenFor(noticeId);
  expect(tokens.noticeOf(token)).toBe(noticeId);
  expect(tokens.tokenFor(noticeId)).toBe(token);
});

test('the token in the link of a security notice mail is rejected if altered or made with another secret', () => {
  const [noticeId, other] = [newId(), newId()];
  const [id = '', proof = ''] = tokens.tokenFor(noticeId).split('.');
  const [otherId = ''] = tokens.tokenFor(other).split('.');
  const flipped = `${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}`;
  const forged = openNoticeTokens('another secret').tokenFor(noticeId);
  for (const token of [`${otherId}.${proof}`, `${id}.${flipped}`, forged, `${id}.`, id, '']) {
    expect(tokens.noticeOf(token)).toBeUndefined();
  }
});
