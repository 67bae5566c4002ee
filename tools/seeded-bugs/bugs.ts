// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of other files, where these are templates.
/** A bug that has cost shops money, and the test that must detect it. */
export interface SeededBug {
  name: string;
  file: string;
  /** Must be there exactly once. */
  from: string;
  to: string;
  test: { file: string; name: string };
}

const points = 'server/src/money/points/points.db.test.ts';
const balance = 'server/src/checkout/points-payment.db.test.ts';
const orders = 'server/src/money/orders/orders.db.test.ts';
const webhooks = 'server/src/money/payments/webhooks.db.test.ts';
const opening = 'server/src/money/payments/pay.db.test.ts';
const refundsAsked = 'server/src/money/orders/order-refunds.db.test.ts';
const deliveryJob = 'server/src/delivery/delivery-job.db.test.ts';

export const bugs: readonly SeededBug[] = [
  {
    name: 'the wallet is read without a lock',
    file: 'server/src/money/points/points.queries.ts',
    from: 'from wallets where account_id = ${accountId} for update',
    to: 'from wallets where account_id = ${accountId}',
    test: {
      file: points,
      // One race may be won by chance; not all of them.
      name: 'concurrent',
    },
  },
  {
    name: 'the order is read without a lock',
    file: 'server/src/money/orders/orders.queries.ts',
    from: 'select * from orders where ${isOrder(key)} for update',
    to: 'select * from orders where ${isOrder(key)}',
    test: {
      file: orders,
      name: 'different events of one order that two servers record concurrently are all stored',
    },
  },
  {
    name: 'an order that is paid already is paid from the balance again',
    file: 'server/src/money/payments/payments.ts',
    from: 'if (order.paid_at !== null) return order;',
    to: '',
    test: {
      file: balance,
      name: 'an E Point payment sent twice spends the points once and is answered with identical bytes',
    },
  },
  {
    name: 'a webhook is not recognised as one that came before',
    file: 'server/src/money/payments/payments.routes.ts',
    from: 'if (!isNew) continue;',
    to: '',
    test: { file: webhooks, name: 'a payment webhook delivered six times pays the order once' },
  },
  {
    name: 'a webhook is acknowledged before it is stored',
    file: 'server/src/money/payments/payments.routes.ts',
    from: 'await context.db.transaction(async (tx) => {',
    to: 'void context.db.transaction(async (tx) => {',
    test: {
      file: webhooks,
      name: 'the shop does not acknowledge a payment webhook that it cannot store, and the retry pays the order',
    },
  },
  {
    name: 'any signature on a webhook is good',
    file: 'server/src/money/psp/stripe/signature.ts',
    from: "if (!isGenuine) return 'bad_signature';",
    to: '',
    test: {
      file: webhooks,
      name: 'the shop refuses a payment webhook whose body was changed after signing, and accepts the genuine retry',
    },
  },
  {
    name: 'a webhook is believed without asking the provider',
    file: 'server/src/money/payments/payments.jobs.ts',
    from: '? await queryPaymentState(context, attempt, payment)',
    to: `? stateFromClaims(payment, {
          isClosed: false,
          captures: [{
            captureId: eventId,
            money: { amountMinor: attempt.amount_minor, currency: attempt.currency },
          }],
          refunds: [],
          disputes: [],
        })`,
    test: {
      file: webhooks,
      name: "a genuine webhook that reports a payment pays no order while the provider's API reports its page as unpaid",
    },
  },
  {
    name: 'every try to open a payment has a key of its own',
    file: 'server/src/money/psp/stripe/create-payment.ts',
    from: '{ idempotencyKey: reference.attemptId }',
    to: '{ idempotencyKey: crypto.randomUUID() }',
    test: {
      file: opening,
      name: 'a payment request whose connection is cut after the provider made the payment page ends with exactly one page',
    },
  },
  {
    name: 'every try to refund has a key of its own',
    file: 'server/src/money/psp/stripe/refunds.ts',
    from: '{ idempotencyKey: refundId }',
    to: '{ idempotencyKey: crypto.randomUUID() }',
    test: {
      file: 'server/src/money/psp/stripe/refunds.test.ts',
      name: 'a Stripe refund requested twice at the same time through the adapter is made once',
    },
  },
  {
    name: 'every try to deliver has a key of its own',
    file: 'server/src/delivery/delivery.ts',
    from: 'paymentId: order.payment_id,\n    serverId',
    to: 'paymentId: newId(),\n    serverId',
    test: {
      file: deliveryJob,
      name: "a delivery whose worker dies between the game's grant and its own commit is completed by another worker without a second grant",
    },
  },
  {
    name: 'the delivery is not part of the commit that makes an order paid',
    file: 'server/src/money/orders/order-effects.ts',
    from: 'await effects.onPaid(tx, order, { isLate',
    to: 'void effects.onPaid(tx, order, { isLate',
    test: {
      file: orders,
      name: 'a payment is rolled back when its delivery cannot be queued in the same transaction',
    },
  },
  {
    name: 'any amount pays an order',
    file: 'server/src/money/orders/order-money.ts',
    from: 'if (capture.isExact) return null;',
    to: 'return null;',
    test: { file: webhooks, name: 'is never delivered: one cent short' },
  },
  {
    name: 'any currency pays an order',
    file: 'server/src/money/orders/order-money.ts',
    from: "if (capture.currency !== due.currency) return 'wrong_currency';",
    to: '',
    test: {
      file: 'server/src/money/orders/order-state.property.test.ts',
      name: 'random histories of an order',
    },
  },
  {
    name: 'a second payment is kept',
    file: 'server/src/money/orders/orders.ts',
    from: 'if (money.surplusMinor > 0n)',
    to: 'if (money.surplusMinor < 0n)',
    test: {
      file: refundsAsked,
      name: 'a second payment of an order is recorded and its full refund requested in one database transaction',
    },
  },
  {
    name: 'refunds asked for at once may exceed the capture',
    file: 'server/src/money/orders/orders.ts',
    from: ' || amountMinor > capture.refundableMinor',
    to: '',
    test: {
      file: refundsAsked,
      name: 'fifty concurrent refund requests for one order never refund more than was paid',
    },
  },
  {
    name: 'a top-up is refunded without taking its points back',
    file: 'server/src/money/orders/order-books.ts',
    from: "if (step.order.kind === 'points') await postTopUp(tx, step);",
    to: "if (step.order.kind === 'points' && !step.before.isDelivered) await postTopUp(tx, step);",
    test: {
      file: 'server/src/money/orders/order-points.db.test.ts',
      name: 'a refund of an order that bought E Points makes the balance negative if they are spent, and a failed refund undoes that',
    },
  },
  {
    name: 'points past their time can be spent',
    file: 'server/src/money/points/wallet.ts',
    from: 'return await expireDue(tx, { ...wallet, accountId, lots });',
    to: 'return { ...wallet, accountId, lots };',
    test: {
      file: balance,
      name: 'an E Point payment cannot spend expired gift points whose expiry is not booked yet',
    },
  },
  {
    name: 'another order hides behind the same clientOrderId',
    file: 'server/src/money/orders/orders.ts',
    from: "if (!known.body_hash.equals(hashOf(key.intentBody))) throw new AppError('InvalidParams');",
    to: '',
    test: {
      file: orders,
      name: 'a client order id reused for an order with other contents is refused with InvalidParams',
    },
  },
  {
    name: 'an order whose money is on its way back is delivered all the same',
    file: 'server/src/delivery/delivery.jobs.ts',
    from: "if (order.state !== 'paid' || delivery.state !== 'queued') return async () => {};",
    to: "if (delivery.state === 'delivered') return async () => {};",
    test: {
      file: 'server/src/money/refunds/refunds.db.test.ts',
      name: 'a full refund before the delivery cancels the delivery',
    },
  },
  {
    name: 'an order is delivered before it is paid',
    file: 'server/src/money/orders/order-effects.ts',
    from: "if (after.state === 'paid' && (before.state !== 'paid' || isFreed)) {",
    to: "if (after.state === 'paying' && before.state !== 'paying') {",
    test: {
      file: webhooks,
      name: 'a genuine payment webhook is stored byte for byte and acknowledged by the shop, and pays the order',
    },
  },
  {
    name: 'a game that may give twice is told again when its answer was lost',
    file: 'server/src/delivery/delivery.jobs.ts',
    from: 'if (!game.givesOnce) {',
    to: 'if (game.givesOnce && !game.givesOnce) {',
    test: {
      file: 'server/src/delivery/gives-twice.db.test.ts',
      name: 'a game without idempotent delivery is not called again by another worker after the first worker died',
    },
  },
  {
    name: 'a refunded order is not taken back from the game',
    file: 'server/src/money/orders/order-effects.ts',
    from: 'if (isGone && isNews) await effects.onTakenBack(tx, order);',
    to: '',
    test: {
      file: 'server/src/money/refunds/refunds.db.test.ts',
      name: 'a full refund is sent to the provider once and the game is asked to revoke the goods',
    },
  },
];
