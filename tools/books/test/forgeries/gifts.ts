import type { Forgery } from './forgery.ts';

const credit = (steps: string) => `(select credit_id from rebate_credits
  where (select count(*) from rebate_credit_steps as taken
         where taken.campaign_id = rebate_credits.campaign_id
           and taken.tier = rebate_credits.tier) ${steps} order by tier limit 1)`;
/** One that was earned and nothing else, and one that came and went. */
const earned = credit('= 1');
const moved = credit('> 1');

/** Points that nobody bought. */
export const presents: readonly Forgery[] = [
  [
    'points are given and nothing says why',
    `delete from point_gifts where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is of 0 points, its statement gave 150 in 1 entries/,
  ],
  [
    'somebody writes points into a statement and calls them a gift',
    `insert into point_entries select account_id, seq + 1000, gen_random_uuid(), posting, kind,
       basic_change, present_change, basic_after, present_after, at, draws, prev_hash, hash
     from point_entries where origin_id = ${earned} and kind = 'gift'`,
    /^I1 gift \S+ of account \S+ is of 0 points, its statement gave 150 in 1 entries/,
  ],
  [
    'a gift is given twice',
    `insert into point_entries select account_id, seq + 1000, origin_id, 'gift:again', kind,
       basic_change, present_change, basic_after, present_after, at, draws, prev_hash, hash
     from point_entries where origin_id = ${earned} and kind = 'gift'`,
    /^I1 gift \S+ of account \S+ is of 150 points, its statement gave 300 in 2 entries/,
  ],
  [
    'a gift is on paper only',
    `insert into point_gifts select account_id, gen_random_uuid(), reason, points, days, at
     from point_gifts where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is of 150 points, its statement gave 0 in 0 entries/,
  ],
  [
    "a gift is somebody else's",
    `update point_gifts set account_id = (select account_id from wallets
       where account_id <> point_gifts.account_id order by account_id limit 1) where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 0 points, of which 150 stay, its reason says 150/,
  ],
  [
    'a rebate gives another amount than its tier',
    `update point_gifts set points = points + 1 where origin_id = ${earned};
     update point_entries set present_change = present_change + 1, present_after = present_after + 1
       where origin_id = ${earned} and kind = 'gift';
     update top_up_steps set present_granted = present_granted + 1, present_kept = present_kept + 1
       where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 151 points, of which 151 stay, its reason says 150/,
  ],
  [
    'a credit is taken back and its points stay',
    `insert into rebate_credit_steps select account_id, campaign_id, tier, 2, 'taken_back', payment_id,
       progress_after_minor, 0, at from rebate_credit_steps join rebate_credits
       using (account_id, campaign_id, tier) where credit_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 150 points, of which 150 stay, its reason says 150, of which 0/,
  ],
  [
    'points are taken back and the credit stands',
    `update top_up_steps set present_kept = 0 where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ keeps 0 points, its statement left 0 and 150/,
  ],
  [
    'a credit was never given',
    `insert into rebate_credits (account_id, campaign_id, tier, credit_id, from_minor, present_points)
     select account_id, campaign_id, 99, gen_random_uuid(), 1, 7 from rebate_credits
     where credit_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 0 points, of which 0 stay, its reason says 7/,
  ],
  [
    'a credit stands on money that nobody counted',
    `delete from rebate_counts`,
    /^I1 credit \S+ of account \S+ stands at 0, it needs 400/,
  ],
  [
    'money that went back still counts',
    `update rebate_counts set kept_minor = 499 where kept_minor = 0`,
    /^I1 order \S+ counts for 499 in tides, of its money stays 0/,
  ],
  [
    'an order counts for less than was paid',
    `update rebate_counts set kept_minor = 498, change_minor = 498 where seq = 1`,
    /^I1 order \S+ counts for 498 in tides, of its money stays 499/,
  ],
  [
    'a step of a gift is gone',
    `delete from top_up_steps where origin_id = ${moved} and step > 1`,
    /^I1 gift \S+ of account \S+ keeps \d+ points, its statement left \S+ and \d+/,
  ],
  [
    'given points live longer than they should',
    `update point_lots set expires_at = expires_at + interval '1 day' where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ lies in no lot of 150 points that ends when it should/,
  ],
  [
    'a code gives more than its terms say',
    `update redemptions set terms = jsonb_set(terms, '{reward,points}', '"70"')
     where terms #>> '{reward,kind}' = 'points'`,
    /^I1 gift \S+ of account \S+ is a code of 120 points, of which 120 stay, its reason says 70, of which 70/,
  ],
  [
    'nobody has redeemed the code',
    `delete from redemptions`,
    /^I1 gift \S+ of account \S+ is a code of 120 points, of which 120 stay, its reason says 0, of which 0/,
  ],
  [
    'a code is redeemed and gives nothing',
    `insert into redemptions
     select account_id, gen_random_uuid(), substr(sha256(code_hash), 1, 16), batch_id, null, terms, at
     from redemptions`,
    /^I1 gift \S+ of account \S+ is a code of 0 points, of which 0 stay, its reason says 120/,
  ],
  [
    'an item of a code is paid with points that were not given for it',
    `update redemptions set redemption_id = gen_random_uuid() where payment_id is not null`,
    /^I13 order \S+ drew 100 points from lot \S+: not given for it/,
  ],
  [
    'points are spent out of turn, and no code says that they may be',
    `update redemptions set payment_id = null`,
    /^I13 order \S+ drew on lot \S+ before lot \S+, which had \d+ points/,
  ],
  [
    'a gift is posted as what it is not',
    `update point_entries set posting = 'keep:2' where posting = 'gift:step:2'`,
    /^I1 a movement of points of account \S+ is for \S+, which is no order of theirs/,
  ],
];
