import { expect, test } from 'vitest';
import { points } from './demo-games.ts';
import { numbered } from './demo-packs.ts';

test('the name of an E Point pack follows the number format and wording of each language', () => {
  expect(numbered(1000, points)).toEqual({
    'en-US': '1,000 E Points',
    'zh-CN': '1,000 E 点',
    'zh-HK': '1,000 E 點',
    'zh-TW': '1,000 E 點',
    'th-TH': '1,000 E Point',
    'ko-KR': '1,000 E 포인트',
    'ja-JP': '1,000 Eポイント',
    'vi-VN': '1.000 E Point',
    'de-DE': '1.000 E-Points',
  });
});
