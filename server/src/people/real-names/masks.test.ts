import { expect, test } from 'vitest';
import { maskEmail, maskIdentityNumber, maskName, maskPhone } from './masks.ts';

test.each([
  ['张三丰', '张*丰'],
  ['张三', '张*'],
  ['张', '*'],
  ['欧阳娜娜', '欧**娜'],
  ['A', '*'],
  ['Jo', 'J*'],
  ['Ann Lee', 'A*****e'],
  ['𠮷田', '𠮷*'],
  ['🐉🔥🐉', '🐉*🐉'],
  ['👨‍👩‍👧李明', '👨‍👩‍👧*明'],
  ['é́a', 'é́*'],
  ['  张三丰 ', '张*丰'],
  ['', '*'],
])('the name "%s" in real-name data is masked as "%s"', (name, shown) => {
  expect(maskName(name)).toBe(shown);
});

test.each([
  ['player@example.com', 'p***@example.com'],
  ['ab@example.com', 'a***@example.com'],
  ['p@example.com', '***@example.com'],
  ['"a@b"@example.com', '"***@example.com'],
  ['🐉龙@example.com', '🐉***@example.com'],
  ['nobody', '***'],
])('the postal address "%s" in real-name data is masked as "%s"', (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});

test.each([
  ['110101200001011238', '1****************8'],
  ['A1234567', 'A******7'],
  ['123456', '1****6'],
  ['12345', '*****'],
  ['1', '*'],
])('the identity number "%s" in real-name data is masked as "%s"', (identityNumber, shown) => {
  expect(maskIdentityNumber(identityNumber)).toBe(shown);
});

test.each([
  ['+8613800138000', '+86 ********000'],
  ['+821012345678', '+82 *******678'],
  ['+14155552671', '+1 *******671'],
  ['+85291234567', '+852 ******67'],
  ['+491701234567', '+49 *******567'],
  ['13800138000', '***'],
  ['+999', '***'],
])('the phone number "%s" in real-name data is masked as "%s"', (phone, shown) => {
  expect(maskPhone(phone)).toBe(shown);
});
