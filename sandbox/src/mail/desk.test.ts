import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../../test/programs.ts';

const secret = 'a secret of the desk and the shop';
let mail: Program;
beforeAll(async () => {
  mail = await startProgram('mail', { DESK_SECRET: secret });
});
afterAll(() => mail.stop());

const order = '00000000-0000-4000-8000-000000000001';

/** Opens the desk with a link signed as the shop signs it. */
async function ask(change: { secret?: string; origin?: string; seconds?: number } = {}) {
  const claims = { gameAccountId: 'ga_<b>', locale: 'en-US', paymentId: order };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('solmere')
    .setAudience(change.origin ?? mail.url)
    .setSubject('11111111-1111-4111-8111-111111111111')
    .setJti('1')
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + (change.seconds ?? 60))
    .sign(Buffer.from(change.secret ?? secret));
  const response = await fetch(`${mail.url}/desk?token=${token}`);
  return { status: response.status, text: await response.text() };
}

test('the customer service desk of the mail sandbox shows the game account and order of a signed link', async () => {
  const { status, text } = await ask();
  expect(status).toBe(200);
  expect(text).toContain(`<dt>Order</dt><dd>${order}</dd>`);
  expect(text).toContain('<dd>ga_&lt;b&gt;</dd>');
});

test.each([
  ['signed with another secret', { secret: 'another' }, 'It was not made by the shop.'],
  ['made for another desk', { origin: 'http://other.test' }, 'It was made for another desk.'],
  ['that has expired', { seconds: -1 }, 'It is too old.'],
])(
  'the customer service desk of the mail sandbox refuses a customer service link %s',
  async (_which, change, words) => {
    const { status, text } = await ask(change);
    expect(status).toBe(403);
    expect(text).toContain(words);
  },
);

test('the customer service desk of the mail sandbox refuses a visitor without a link', async () => {
  expect((await fetch(`${mail.url}/desk`)).status).toBe(403);
});
