import { CouponList, handOutCoupons, loadCoupons } from '../offers/coupons/coupon-templates.ts';
import type { Db } from '../platform/db.ts';
import type { Sites } from '../publisher/sites/sites.ts';
import { demoSites } from './demo-catalogue.ts';
import { demoPlayers } from './demo-players.ts';

// A fixed start, because templates cannot be changed by a later seed.
const startsAt = '2026-01-01T00:00:00Z';

const welcome = {
  name: {
    'en-US': 'Welcome gift',
    'zh-CN': '新手见面礼',
    'zh-HK': '新手見面禮',
    'zh-TW': '新手見面禮',
    'th-TH': 'ของขวัญต้อนรับ',
    'ko-KR': '환영 선물',
    'ja-JP': 'ようこそクーポン',
    'vi-VN': 'Quà chào mừng',
    'de-DE': 'Willkommensgeschenk',
  },
  percent: '15',
  startsAt,
  perAccountMax: 1,
};

const largePacks = {
  name: {
    'en-US': 'Thank you for playing',
    'zh-CN': '感谢一路相伴',
    'zh-HK': '感謝一路相伴',
    'zh-TW': '感謝一路相伴',
    'th-TH': 'ขอบคุณที่ร่วมเล่น',
    'ko-KR': '함께해 주셔서 감사합니다',
    'ja-JP': '感謝を込めて',
    'vi-VN': 'Cảm ơn bạn đã đồng hành',
    'de-DE': 'Danke fürs Mitspielen',
  },
  startsAt,
  perAccountMax: 1,
};

// Limited to sites in yuan, or other players would see coupons in a currency they do not use.
const inYuan = {
  currency: 'CNY',
  sites: demoSites.filter(({ currency }) => currency === 'CNY').map(({ id }) => id),
};

/** The coupons of the demo players. */
const demoCoupons = CouponList.parse([
  { templateId: 'demo-welcome', ...welcome, currency: 'USD', cap: '5.00' },
  {
    templateId: 'demo-large-packs',
    ...largePacks,
    ...{ currency: 'USD', amount: '3.00', minimum: '25.00' },
  },
  { templateId: 'demo-welcome-yuan', ...welcome, ...inYuan, cap: '30.00' },
  {
    templateId: 'demo-large-packs-yuan',
    ...largePacks,
    ...{ ...inYuan, amount: '20.00', minimum: '160.00' },
  },
]);

/** Idempotent: existing templates and issued coupons are left alone. */
export async function seedCoupons(db: Db, sites: Sites): Promise<void> {
  const { complaints } = await loadCoupons({ db, sites }, demoCoupons, 'seed');
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const receivers = demoPlayers.map(({ loginName }) => loginName);
  for (const { templateId } of demoCoupons) {
    const handout = { templateId, key: templateId, receivers, by: 'seed' };
    const handed = await handOutCoupons(db, handout);
    if (handed.result === 'refused') throw new Error(handed.why);
  }
}
