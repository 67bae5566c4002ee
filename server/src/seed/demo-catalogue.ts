import { locales } from '@pointgate/contract/locales.ts';

/** The fictional game of the demo, with texts in all nine languages. */

type Texts = Record<(typeof locales)[number], string>;

export const demoGame = {
  id: 'solmere',
  name: {
    'en-US': 'Solmere',
    'zh-CN': '索尔梅尔',
    'zh-HK': '索爾梅爾',
    'zh-TW': '索爾梅爾',
    'th-TH': 'โซลเมียร์',
    'ko-KR': '솔미어',
    'ja-JP': 'ソルメア',
    'vi-VN': 'Solmere',
    'de-DE': 'Solmere',
  } satisfies Texts,
  subtitle: {
    'en-US': 'Echoes of the Drowned Sun',
    'zh-CN': '沉日回响',
    'zh-HK': '沉日迴響',
    'zh-TW': '沉日迴響',
    'th-TH': 'เสียงสะท้อนแห่งตะวันจม',
    'ko-KR': '가라앉은 태양의 메아리',
    'ja-JP': '沈みし太陽の残響',
    'vi-VN': 'Dư âm mặt trời chìm',
    'de-DE': 'Echos der versunkenen Sonne',
  } satisfies Texts,
};

const asia: Texts = {
  'en-US': 'Asia',
  'zh-CN': '亚洲',
  'zh-HK': '亞洲',
  'zh-TW': '亞洲',
  'th-TH': 'เอเชีย',
  'ko-KR': '아시아',
  'ja-JP': 'アジア',
  'vi-VN': 'Châu Á',
  'de-DE': 'Asien',
};

const europe: Texts = {
  'en-US': 'Europe',
  'zh-CN': '欧洲',
  'zh-HK': '歐洲',
  'zh-TW': '歐洲',
  'th-TH': 'ยุโรป',
  'ko-KR': '유럽',
  'ja-JP': 'ヨーロッパ',
  'vi-VN': 'Châu Âu',
  'de-DE': 'Europa',
};

/** Server names are the game's proper names: the same in every language but for the fallback. */
export const demoServers = [
  { id: 's12', name: { 'en-US': 'S12 Dawnreach' }, region: asia, status: 0 },
  { id: 's7', name: { 'en-US': 'S7 Tidehollow' }, region: asia, status: 0 },
  { id: 's3', name: { 'en-US': 'S3 Emberwick' }, region: europe, status: 0 },
  { id: 's1', name: { 'en-US': 'S1 Gloamharbour' }, region: europe, status: 1 },
] as const;

export const demoGroup = {
  id: 'omni-cards',
  name: Object.fromEntries(locales.map((locale) => [locale, 'Omni Cards'])),
};

/** Short, because it stands beside the number on every card. */
export const shardUnit: Texts = {
  'en-US': 'Shards',
  'zh-CN': '碎晶',
  'zh-HK': '碎晶',
  'zh-TW': '碎晶',
  'th-TH': 'ชาร์ด',
  'ko-KR': '샤드',
  'ja-JP': 'シャード',
  'vi-VN': 'Mảnh',
  'de-DE': 'Splitter',
};

export const shardName: Texts = {
  'en-US': 'Lumen Shards',
  'zh-CN': '流明碎晶',
  'zh-HK': '流明碎晶',
  'zh-TW': '流明碎晶',
  'th-TH': 'ลูเมนชาร์ด',
  'ko-KR': '루멘 샤드',
  'ja-JP': 'ルーメンシャード',
  'vi-VN': 'Mảnh Lumen',
  'de-DE': 'Lumensplitter',
};

export const demoItems = [
  { quantity: 60, points: 100, gift: 6, cents: 99, tier: 'tide', badge: null, art: 'shard1' },
  { quantity: 300, points: 500, gift: 30, cents: 499, tier: 'tide', badge: null, art: 'shard2' },
  {
    quantity: 980,
    points: 1500,
    gift: 110,
    cents: 1499,
    tier: 'dusk',
    badge: 'popular',
    art: 'shard3',
  },
  {
    quantity: 1980,
    points: 3000,
    gift: 260,
    cents: 2999,
    tier: 'dusk',
    badge: null,
    art: 'shard4',
  },
  {
    quantity: 3280,
    points: 5000,
    gift: 600,
    cents: 4999,
    tier: 'rose',
    badge: null,
    art: 'shard5',
  },
  {
    quantity: 6480,
    points: 10000,
    gift: 1600,
    cents: 9999,
    tier: 'sun',
    badge: 'best_value',
    art: 'shard6',
  },
] as const;

/** A point is worth a cent; larger packs come with more given points. */
export const demoPointPacks = [
  { quantity: 100, gift: 0, giftDays: null, cents: 99, tier: 'tide', badge: null, art: 'coin1' },
  { quantity: 500, gift: 25, giftDays: 90, cents: 499, tier: 'tide', badge: null, art: 'coin2' },
  {
    quantity: 1000,
    gift: 80,
    giftDays: 90,
    cents: 999,
    tier: 'dusk',
    badge: 'popular',
    art: 'coin3',
  },
  { quantity: 2000, gift: 200, giftDays: 90, cents: 1999, tier: 'dusk', badge: null, art: 'coin4' },
  {
    quantity: 5000,
    gift: 650,
    giftDays: 180,
    cents: 4999,
    tier: 'rose',
    badge: null,
    art: 'coin5',
  },
  {
    quantity: 10000,
    gift: 1500,
    giftDays: 180,
    cents: 9999,
    tier: 'sun',
    badge: 'best_value',
    art: 'coin6',
  },
] as const;

/** Passwords of a demo are no secret; nobody can reach these accounts from outside the machine. */
export const demoPlayers = [
  {
    loginName: 'aveline',
    email: 'aveline@example.com',
    // Both from the range that no phone ever has; of those, few countries' count as mobile.
    phone: '+12025550123',
    password: 'Dawn-58-reach',
    displayName: 'Aveline',
    gameAccountId: 'ga_aveline',
  },
  {
    loginName: 'kaito',
    email: 'kaito@example.com',
    phone: '+12025550148',
    password: 'Tide-41-hollow',
    displayName: 'Kaito',
    gameAccountId: 'ga_kaito',
  },
] as const;

/** Of the first player, so that there is something to be seen masked; of the other one nothing is known. */
export const demoRealNames: Readonly<Record<string, object>> = {
  aveline: {
    fullName: 'Aveline Marsh',
    address: '12 Harbour Street, Port Solace',
    phone: '+12025550123',
    email: 'aveline@example.com',
    birthday: '1998-04-12',
    identityNumber: 'D400-7836-0001',
    approvalDate: '2026-02-03',
    approvalRegion: 'US',
  },
};
