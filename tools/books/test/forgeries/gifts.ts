import type { Forgery } from './forgery.ts';

const credit = (steps: string) => `(select credit_id from rebate_credits
  where (select count(*) from rebate_credit_steps as taken
         where taken.campaign_id = rebate_credits.campaign_id
           and taken.tier = rebate_credits.tier) ${steps} order by tier limit 1)`;
/** A rebate credit that was only earned, and one that was also taken back. */
const earned = credit('= 1');
const moved = credit('> 1');

/** Forgeries of given points. */
export const pointGifts: readonly Forgery[] = [
  [
    'gifted points have no gift record',
    `delete from point_gifts where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is of 0 points, its statement gave 150 in 1 entries/,
  ],
  [
    'a gift entry was added to a statement without a gift record',
    `insert into point_entries select account_id, seq + 1000, gen_random_uuid(), posting, kind,
       basic_change, present_change, basic_after, present_after, at, draws, prev_hash, hash
     from point_entries where origin_id = ${earned} and kind = 'gift'`,
    /^I1 gift \S+ of account \S+ is of 0 points, its statement gave 150 in 1 entries/,
  ],
  [
    'a gift was granted twice',
    `insert into point_entries select account_id, seq + 1000, origin_id, 'gift:again', kind,
       basic_change, present_change, basic_after, present_after, at, draws, prev_hash, hash
     from point_entries where origin_id = ${earned} and kind = 'gift'`,
    /^I1 gift \S+ of account \S+ is of 150 points, its statement gave 300 in 2 entries/,
  ],
  [
    'a gift record has no entry in a statement',
    `insert into point_gifts select account_id, gen_random_uuid(), reason, points, days, at
     from point_gifts where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is of 150 points, its statement gave 0 in 0 entries/,
  ],
  [
    'a gift record has another account than its statement entry',
    `update point_gifts set account_id = (select account_id from wallets
       where account_id <> point_gifts.account_id order by account_id limit 1) where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 0 points, of which 150 stay, its reason says 150/,
  ],
  [
    'a rebate gift has other points than its tier',
    `update point_gifts set points = points + 1 where origin_id = ${earned};
     update point_entries set present_change = present_change + 1, present_after = present_after + 1
       where origin_id = ${earned} and kind = 'gift';
     update top_up_steps set present_granted = present_granted + 1, present_kept = present_kept + 1
       where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 151 points, of which 151 stay, its reason says 150/,
  ],
  [
    'a rebate credit was taken back but its points were kept',
    `insert into rebate_credit_steps select account_id, campaign_id, tier, 2, 'taken_back', payment_id,
       progress_after_minor, 0, at from rebate_credit_steps join rebate_credits
       using (account_id, campaign_id, tier) where credit_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 150 points, of which 150 stay, its reason says 150, of which 0/,
  ],
  [
    'rebate points were taken back but their credit was kept',
    `update top_up_steps set present_kept = 0 where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ keeps 0 points, its statement left 0 and 150/,
  ],
  [
    'a rebate credit has no gift',
    `insert into rebate_credits (account_id, campaign_id, tier, credit_id, from_minor, present_points)
     select account_id, campaign_id, 99, gen_random_uuid(), 1, 7 from rebate_credits
     where credit_id = ${earned}`,
    /^I1 gift \S+ of account \S+ is a rebate of 0 points, of which 0 stay, its reason says 7/,
  ],
  [
    'a rebate credit has no counted orders',
    `delete from rebate_counts`,
    /^I1 credit \S+ of account \S+ stands at 0, it needs 400/,
  ],
  [
    'a refunded order still counts towards a rebate',
    `update rebate_counts set kept_minor = 499 where kept_minor = 0`,
    /^I1 order \S+ counts for 499 in tides, of its money stays 0/,
  ],
  [
    'an order counts towards a rebate for less than was paid',
    `update rebate_counts set kept_minor = 498, change_minor = 498 where seq = 1`,
    /^I1 order \S+ counts for 498 in tides, of its money stays 499/,
  ],
  [
    'a step of a gift was deleted',
    `delete from top_up_steps where origin_id = ${moved} and step > 1`,
    /^I1 gift \S+ of account \S+ keeps \d+ points, its statement left \S+ and \d+/,
  ],
  [
    'gifted points expire later than their terms say',
    `update point_lots set expires_at = expires_at + interval '1 day' where origin_id = ${earned}`,
    /^I1 gift \S+ of account \S+ lies in no lot of 150 points that ends when it should/,
  ],
  [
    'a redeemed code gave more points than its terms say',
    `update redemptions set terms = jsonb_set(terms, '{reward,points}', '"70"')
     where terms #>> '{reward,kind}' = 'points'`,
    /^I1 gift \S+ of account \S+ is a code of 120 points, of which 120 stay, its reason says 70, of which 70/,
  ],
  [
    'a gift from a code has no redemption',
    `delete from redemptions`,
    /^I1 gift \S+ of account \S+ is a code of 120 points, of which 120 stay, its reason says 0, of which 0/,
  ],
  [
    'a redemption has no gift',
    `insert into redemptions
     select account_id, gen_random_uuid(), substr(sha256(code_hash), 1, 16), batch_id, null, terms, at
     from redemptions`,
    /^I1 gift \S+ of account \S+ is a code of 0 points, of which 0 stay, its reason says 120/,
  ],
  [
    'an item from a code was paid with points of another gift',
    `update redemptions set redemption_id = gen_random_uuid() where payment_id is not null`,
    /^I13 order \S+ drew 100 points from lot \S+: not given for it/,
  ],
  [
    'points were spent out of order without a redeemed code',
    `update redemptions set payment_id = null`,
    /^I13 order \S+ drew on lot \S+ before lot \S+, which had \d+ points/,
  ],
  [
    'a gift entry has the posting of a top-up',
    `update point_entries set posting = 'keep:2' where posting = 'gift:step:2'`,
    /^I1 a movement of points of account \S+ is for \S+, which is no order of theirs/,
  ],
];
