import { expect, test } from 'vitest';
import { canonicalForm, decodeForm } from './form.ts';

test('the Stripe sandbox decodes a form with nested keys into nested objects, and its percent-encoded characters', () => {
  const form = decodeForm(
    'mode=payment&line_items[0][price_data][product_data][name]=60%20gems%20%26%20more' +
      '&line_items[0][quantity]=2&metadata[paymentId]=p1&expand[]=a&expand[]=b',
  );

  expect(JSON.parse(JSON.stringify(form))).toEqual({
    mode: 'payment',
    line_items: { 0: { price_data: { product_data: { name: '60 gems & more' } }, quantity: '2' } },
    metadata: { paymentId: 'p1' },
    expand: { 0: 'a', 1: 'b' },
  });
});

test('a form key named __proto__ sent to the Stripe sandbox does not pollute the object prototype', () => {
  const form = decodeForm('metadata[__proto__][polluted]=yes');

  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect(JSON.stringify(form)).toContain('polluted');
});

test('the Stripe sandbox refuses a form in which one key is used for both a value and a nested object', () => {
  expect(() => decodeForm('metadata=x&metadata[a]=b')).toThrow('both a value and a group');
});

test('the Stripe sandbox treats the same form parameters in another order as the same request', () => {
  expect(canonicalForm('a=1&b=2')).toBe(canonicalForm('b=2&a=1'));
  expect(canonicalForm('a=1&b=2')).not.toBe(canonicalForm('a=1&b=3'));
});
