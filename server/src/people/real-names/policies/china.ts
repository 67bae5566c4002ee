import type { PolicyPack } from './policy.ts';

/**
 * Mainland China: no payments under 8; from 8 to 15 at most 50 yuan per payment and 200 a month; at
 * 16 and 17 at most 100 and 400; a real name is required.
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
