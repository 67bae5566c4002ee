import { expect, test } from 'vitest';
import { canonicalForm, decodeForm } from './form.ts';

test('nested form keys become nested groups, and percent-encoded characters are decoded', () => {
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

test('a form key named __proto__ does not pollute the object prototype', () => {
  const form = decodeForm('metadata[__proto__][polluted]=yes');

  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect(JSON.stringify(form)).toContain('polluted');
});

test('a form key that is both a value and a group is refused', () => {
  expect(() => decodeForm('metadata=x&metadata[a]=b')).toThrow('both a value and a group');
});

test('form parameters in another order have the same canonical form', () => {
  expect(canonicalForm('a=1&b=2')).toBe(canonicalForm('b=2&a=1'));
  expect(canonicalForm('a=1&b=2')).not.toBe(canonicalForm('a=1&b=3'));
});
