import type { locales } from '@pointgate/contract/locales.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { writeCampaign } from '../offers/promotions/promotion-list.ts';
import type { Tx } from '../platform/db.ts';

type Texts = Record<(typeof locales)[number], string>;

const packs: Record<string, Texts> = {
  solmere: {
    'en-US': 'Tide Festival',
    'zh-CN': '潮汐庆典',
    'zh-HK': '潮汐慶典',
    'zh-TW': '潮汐慶典',
    'th-TH': 'เทศกาลแห่งกระแสน้ำ',
    'ko-KR': '밀물 축제',
    'ja-JP': '潮の祭典',
    'vi-VN': 'Lễ hội thủy triều',
    'de-DE': 'Gezeitenfest',
  },
  'lantern-court': {
    'en-US': 'Night of a Thousand Lanterns',
    'zh-CN': '千灯夜宴',
    'zh-HK': '千燈夜宴',
    'zh-TW': '千燈夜宴',
    'th-TH': 'ราตรีพันโคม',
    'ko-KR': '천등의 밤',
    'ja-JP': '千灯の宵',
    'vi-VN': 'Đêm nghìn đèn lồng',
    'de-DE': 'Nacht der tausend Laternen',
  },
  'neon-meridian': {
    'en-US': 'Overdrive Season',
    'zh-CN': '超载赛季',
    'zh-HK': '超載賽季',
    'zh-TW': '超載賽季',
    'th-TH': 'ซีซันโอเวอร์ไดรฟ์',
    'ko-KR': '오버드라이브 시즌',
    'ja-JP': 'オーバードライブ・シーズン',
    'vi-VN': 'Mùa giải Overdrive',
    'de-DE': 'Overdrive-Saison',
  },
};
/** The campaign name at a site with several games. */
const allPacks: Texts = {
  'en-US': 'Six Worlds, One Reward',
  'zh-CN': '六界同庆',
  'zh-HK': '六界同慶',
  'zh-TW': '六界同慶',
  'th-TH': 'หกโลก หนึ่งรางวัล',
  'ko-KR': '여섯 세계, 하나의 보상',
  'ja-JP': '六つの世界、ひとつのごほうび',
  'vi-VN': 'Sáu thế giới, một phần thưởng',
  'de-DE': 'Sechs Welten, eine Belohnung',
};
const points: Texts = {
  'en-US': 'E Point Harvest',
  'zh-CN': 'E 点丰收季',
  'zh-HK': 'E 點豐收季',
  'zh-TW': 'E 點豐收季',
  'th-TH': 'ฤดูเก็บเกี่ยว E Point',
  'ko-KR': 'E 포인트 수확제',
  'ja-JP': 'Eポイント収穫祭',
  'vi-VN': 'Mùa thu hoạch E Point',
  'de-DE': 'E-Point-Ernte',
};

/** The approximate price of a dollar, so that tiers are in reach in any currency. */
const dollarIn: Record<CurrencyCode, number> = {
  CNY: 7,
  EUR: 1,
  HKD: 8,
  JPY: 150,
  KRW: 1400,
  THB: 35,
  TWD: 32,
  USD: 1,
  VND: 25_000,
};

const tiers = [
  { tier: 1, dollars: 10, points: '100' },
  { tier: 2, dollars: 50, points: '600' },
  { tier: 3, dollars: 100, points: '1500' },
];
const dayMs = 24 * 60 * 60_000;

/**
 * Two rebate campaigns of a site that run now, one for packs and one for E Points. Seeding again
 * extends them to two months from now. `gameId` is null for a site with several games.
 */
export async function seedPromotions(
  tx: Tx,
  site: { siteId: string; gameId: string | null; currency: CurrencyCode; now: Date },
): Promise<void> {
  const { siteId, gameId, currency, now } = site;
  const terms = {
    siteId,
    currency,
    startsAt: new Date(now.getTime() - 7 * dayMs).toISOString(),
    endsAt: new Date(now.getTime() + 60 * dayMs).toISOString(),
    presentDays: 90,
    tiers: tiers.map(({ tier, dollars, points: given }) => ({
      tier,
      from: `${dollars * dollarIn[currency]}`,
      points: given,
    })),
  };
  const kinds = [
    {
      campaignId: `${siteId}-packs`,
      kind: 'item' as const,
      gameId,
      name: packs[siteId] ?? allPacks,
    },
    { campaignId: `${siteId}-points`, kind: 'points' as const, gameId: null, name: points },
  ];
  for (const kind of kinds) await writeCampaign(tx, { ...terms, ...kind });
}
