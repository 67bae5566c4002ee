import { expect, test } from 'vitest';
import { BatchTerms, type KnownCode, NewBatch, Reward, refusalOf, toJson } from './batch-rules.ts';

const moment = (hour: number) => new Date(Date.UTC(2026, 10, 15, hour));

const code = (changes: Partial<KnownCode> = {}): KnownCode => ({
  uses: 0,
  usesMax: 1,
  redeemed: 0,
  perAccountMax: 1,
  siteId: null,
  countries: [],
  startsAt: moment(9),
  endsAt: moment(12),
  stoppedAt: null,
  reward: Reward.parse({ kind: 'points', points: '100' }),
  ...changes,
});
const here = { now: moment(10), siteId: 'solmere', country: 'DE', gameIds: ['solmere'] };

test('a redeem code that is active, valid on the site and not used up can be redeemed', () => {
  expect(refusalOf(code(), here)).toBeUndefined();
});

test('a redeem code is valid from its start inclusive to its end exclusive', () => {
  const at = (now: Date) => refusalOf(code(), { ...here, now });
  const just = (now: Date, ms: number) => at(new Date(now.getTime() + ms));
  expect(just(moment(9), -1)).toBe('RedeemCodeNotStarted');
  expect(at(moment(9))).toBeUndefined();
  expect(just(moment(12), -1)).toBeUndefined();
  expect(at(moment(12))).toBe('RedeemCodeExpired');
  expect(refusalOf(code({ endsAt: null }), { ...here, now: moment(23) })).toBeUndefined();
});

test.each([
  ['that does not exist', undefined, 'RedeemCodeNotFound'],
  ['of a stopped batch', code({ stoppedAt: moment(9) }), 'RedeemCodeExpired'],
  ['of another site', code({ siteId: 'other' }), 'RedeemWrongRegion'],
  ['for other countries', code({ countries: ['JP', 'KR'] }), 'RedeemWrongRegion'],
  ['that is used up', code({ uses: 3, usesMax: 3 }), 'RedeemCodeUsed'],
  ['beyond the limit per account', code({ redeemed: 2, perAccountMax: 2 }), 'RedeemLimitReached'],
  [
    'for an item of a game that the site does not sell',
    code({ reward: Reward.parse({ kind: 'item', itemId: 'sword', gameId: 'elsewhere' }) }),
    'RedeemWrongRegion',
  ],
])(
  'the rules of a redeem code batch refuse an unusable code: a code %s',
  (_which, found, refusal) => {
    expect(refusalOf(found, here)).toBe(refusal);
  },
);

test('a redeem code for the site, the country and an item sold there is accepted', () => {
  const reward = Reward.parse({ kind: 'item', itemId: 'sword', gameId: 'solmere' });
  const fitting = code({ siteId: 'solmere', countries: ['JP', 'DE'], reward, uses: 2, usesMax: 3 });
  expect(refusalOf(fitting, here)).toBeUndefined();
});

test('a redeem code limited to some countries is refused when the country is unknown', () => {
  const found = code({ countries: ['DE'] });
  expect(refusalOf(found, { ...here, country: null })).toBe('RedeemWrongRegion');
});

const terms = {
  name: 'spring',
  reward: { kind: 'points', points: '100' },
  startsAt: '2026-11-15T09:00:00Z',
  endsAt: '2026-11-15T12:00:00+01:00',
};

test('the default terms of a redeem code batch are one use per code and one code per account, on any site', () => {
  expect(BatchTerms.parse(terms)).toMatchObject({
    usesPerCode: 1,
    codesPerAccount: 1,
    siteId: null,
    countries: [],
    endsAt: moment(11),
    reward: { kind: 'points', points: 100n, days: null },
  });
});

test.each([
  [{ endsAt: terms.startsAt }, 'endsAt'],
  [{ startsAt: 'tomorrow' }, 'startsAt'],
  [{ countries: ['Germany'] }, 'countries.0'],
  [{ name: 'Spring Sale' }, 'name'],
  [{ usesPerCode: 0 }, 'usesPerCode'],
  [{ codesPerAccount: 0 }, 'codesPerAccount'],
  [{ codes: 0 }, 'codes'],
  [{ codes: 1_000_001 }, 'codes'],
  [{ reward: { kind: 'points', points: '0' } }, 'reward.points'],
  [{ reward: { kind: 'points', points: '-5' } }, 'reward.points'],
  [{ reward: { kind: 'points', points: '100', days: 0 } }, 'reward.days'],
  [{ reward: { kind: 'money' } }, 'reward.kind'],
  [{ uses: 5 }, ''],
])('redeem code batch terms with %j are refused with the path of the error', (changes, path) => {
  const parsed = NewBatch.safeParse({ ...terms, codes: 5, ...changes });
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

test('the reward of a redeem code is unchanged after serialization to JSON and back', () => {
  const reward = Reward.parse({ kind: 'points', points: '900719925474', days: 7 });
  expect(Reward.parse(JSON.parse(toJson(reward)))).toEqual(reward);
});
