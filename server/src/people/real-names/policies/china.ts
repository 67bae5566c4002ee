import type { PolicyPack } from './policy.ts';

/**
 * Mainland China: no payments under 8; up to 15 at most 50 yuan at once and 200 a month; 16 and 17 at
 * most 100 and 400; nobody without a real name.
 */
export const china: PolicyPack = {
  timeZone: 'Asia/Shanghai',
  currency: 'CNY',
  needsRealName: true,
  bands: [
    { fromAge: 0, limits: { paymentMinor: 0n, monthMinor: 0n } },
    { fromAge: 8, limits: { paymentMinor: 50_00n, monthMinor: 200_00n } },
    { fromAge: 16, limits: { paymentMinor: 100_00n, monthMinor: 400_00n } },
    { fromAge: 18, limits: null },
  ],
};
