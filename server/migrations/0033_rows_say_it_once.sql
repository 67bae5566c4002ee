-- Two rows say the same thing twice: an event by its fact and by its key, an entry of a statement by its
-- cells and by its hash. The code has always seen to it; now the tables refuse anything else. Whoever
-- goes through a million of them may rely on the shorter one.
set local lock_timeout = '5s';

alter table order_events add constraint key_says_the_fact check ((
  fact_key = case fact ->> 'type'
    when 'attempt_opened' then 'attempt_opened:' || (fact ->> 'attemptId')
    when 'attempt_declined' then 'attempt_declined:' || (fact ->> 'attemptId')
    when 'attempt_closed' then 'attempt_closed:' || (fact ->> 'attemptId')
    when 'captured' then 'captured:' || (fact ->> 'captureId') || ':' || (fact ->> 'attemptId')
      || ':' || (fact ->> 'currency') || ':' || (fact ->> 'amountMinor')
    when 'delivery_failed' then 'delivery_failed:' || (fact ->> 'tries')
    when 'delivery_stuck' then 'delivery_stuck:' || (fact ->> 'round')
    when 'delivery_resumed' then 'delivery_resumed:' || (fact ->> 'round')
    when 'refund_requested' then 'refund_requested:' || (fact ->> 'refundId')
    when 'refund_settled' then 'refund_settled:' || (fact ->> 'refundId') || ':' || (fact ->> 'captureId')
      || ':' || (fact ->> 'currency') || ':' || (fact ->> 'amountMinor') || ':' || (fact ->> 'outcome')
    when 'disputed' then 'disputed:' || (fact ->> 'disputeId') || ':' || (fact ->> 'captureId')
      || ':' || (fact ->> 'currency') || ':' || (fact ->> 'amountMinor') || ':' || (fact ->> 'stage')
    when 'revoked' then 'revoked:' || (fact ->> 'result')
    when 'expired' then case when fact - 'type' = '{}' then 'expired' end
    when 'delivered' then case when fact - 'type' = '{}' then 'delivered' end
  end
) is true);

alter table point_entries add constraint hash_is_of_the_line check (
  hash = sha256(convert_to(encode(prev_hash, 'hex') || e'\n'
    || seq || '|' || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '|' || kind || '|' || origin_id || '|' || posting
    || '|' || basic_change || '|' || present_change || '|' || basic_after || '|' || present_after
    || '|' || draws, 'UTF8'))
);
