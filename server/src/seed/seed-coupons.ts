import { CouponList, handOutCoupons, loadCoupons } from '../coupons/coupon-templates.ts';
import type { Db } from '../platform/db.ts';
import type { Sites } from '../sites/sites.ts';
import { demoPlayers } from './demo-players.ts';

// Templates never change, so they start at a day that is the same for every seed.
const startsAt = '2026-01-01T00:00:00Z';

/** What the players of the demo can try at the checkout. */
const demoCoupons = CouponList.parse([
  {
    templateId: 'demo-welcome',
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
    currency: 'USD',
    cap: '5.00',
    startsAt,
    perAccountMax: 1,
  },
  {
    templateId: 'demo-large-packs',
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
    amount: '3.00',
    currency: 'USD',
    minimum: '25.00',
    startsAt,
    perAccountMax: 1,
  },
]);

/** A second time changes nothing: the templates are there, and everybody has theirs. */
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
