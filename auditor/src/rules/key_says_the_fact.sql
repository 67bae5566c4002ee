((fact_key =
CASE (fact ->> 'type'::text)
    WHEN 'attempt_opened'::text THEN ('attempt_opened:'::text || (fact ->> 'attemptId'::text))
    WHEN 'attempt_declined'::text THEN ('attempt_declined:'::text || (fact ->> 'attemptId'::text))
    WHEN 'attempt_closed'::text THEN ('attempt_closed:'::text || (fact ->> 'attemptId'::text))
    WHEN 'captured'::text THEN ((((((('captured:'::text || (fact ->> 'captureId'::text)) || ':'::text) || (fact ->> 'attemptId'::text)) || ':'::text) || (fact ->> 'currency'::text)) || ':'::text) || (fact ->> 'amountMinor'::text))
    WHEN 'delivery_failed'::text THEN ('delivery_failed:'::text || (fact ->> 'tries'::text))
    WHEN 'delivery_stuck'::text THEN ('delivery_stuck:'::text || (fact ->> 'round'::text))
    WHEN 'delivery_resumed'::text THEN ('delivery_resumed:'::text || (fact ->> 'round'::text))
    WHEN 'refund_requested'::text THEN ('refund_requested:'::text || (fact ->> 'refundId'::text))
    WHEN 'refund_settled'::text THEN ((((((((('refund_settled:'::text || (fact ->> 'refundId'::text)) || ':'::text) || (fact ->> 'captureId'::text)) || ':'::text) || (fact ->> 'currency'::text)) || ':'::text) || (fact ->> 'amountMinor'::text)) || ':'::text) || (fact ->> 'outcome'::text))
    WHEN 'disputed'::text THEN ((((((((('disputed:'::text || (fact ->> 'disputeId'::text)) || ':'::text) || (fact ->> 'captureId'::text)) || ':'::text) || (fact ->> 'currency'::text)) || ':'::text) || (fact ->> 'amountMinor'::text)) || ':'::text) || (fact ->> 'stage'::text))
    WHEN 'revoked'::text THEN ('revoked:'::text || (fact ->> 'result'::text))
    WHEN 'expired'::text THEN
    CASE
        WHEN ((fact - 'type'::text) = '{}'::jsonb) THEN 'expired'::text
        ELSE NULL::text
    END
    WHEN 'delivered'::text THEN
    CASE
        WHEN ((fact - 'type'::text) = '{}'::jsonb) THEN 'delivered'::text
        ELSE NULL::text
    END
    ELSE NULL::text
END) IS TRUE)
