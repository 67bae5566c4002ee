import { randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const lengths = {
  cs_test_: 58,
  pi_: 24,
  ch_: 24,
  re_: 24,
  du_: 24,
  txn_: 24,
  po_: 24,
  fee_: 24,
  frr_: 24,
  file_: 24,
  evt_: 24,
  req_: 14,
  li_: 24,
};

export function newId(prefix: keyof typeof lengths): string {
  const pick = () => letters.charAt(randomInt(letters.length));
  return prefix + Array.from({ length: lengths[prefix] }, pick).join('');
}
