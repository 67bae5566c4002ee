import type { PolicyPack } from './policy.ts';

/** Korea: under 19 at most 70,000 won a month. An operator must have a lawyer check the figures. */
export const korea: PolicyPack = {
  timeZone: 'Asia/Seoul',
  currency: 'KRW',
  needsRealName: false,
  bands: [
    { fromAge: 0, limits: { paymentMinor: null, monthMinor: 70_000n } },
    { fromAge: 19, limits: null },
  ],
};
