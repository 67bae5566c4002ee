import { afterAll, beforeAll, expect, test } from 'vitest';
import { operateByProgram } from '../test/processes.ts';
import { openTestShop, type TestShop } from '../test/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

// What each command does is tested with its feature, mostly without a program.
test('the program of operators tells an answer, a refusal and what it does not understand apart', async () => {
  const [answer, refusal, unknown] = await Promise.all([
    operateByProgram(shop, ['cases']),
    operateByProgram(shop, ['case', 'nothing']),
    operateByProgram(shop, ['nonsense']),
  ]);
  expect(answer).toEqual({ status: 0, out: '[]\n', complaint: '' });
  expect(refusal).toEqual({ status: 1, out: '', complaint: 'there is no case nothing\n' });
  expect(unknown).toMatchObject({ status: 2, out: '' });
  expect(unknown.complaint).toMatch(/^Usage: npm run operate/);
});
