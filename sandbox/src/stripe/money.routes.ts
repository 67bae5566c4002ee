import type { FastifyInstance } from 'fastify';
import type { Answer } from './call.ts';
import { getDispute, wireDispute } from './disputes.ts';
import { readExpanding } from './expanding.ts';
import { missing } from './failure.ts';
import type { Form } from './form.ts';
import { findCharge } from './intents.ts';
import { listPage } from './lists.ts';
import { balanceObject } from './movements.ts';
import { chargeObject, refundObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { readRefundParams } from './refund-params.ts';
import { createRefund, getRefund } from './refunds.ts';
import { balanceRow, chargeRow, disputeRow, refundRow } from './rows.ts';

const possible = {
  charge: ['payment_intent', 'balance_transaction'],
  refund: ['charge', 'payment_intent', 'balance_transaction'],
  dispute: ['charge', 'payment_intent'],
} as const;

/** The routes of charges, refunds and disputes. */
export function registerMoneyRoutes(
  app: FastifyInstance,
  provider: Provider,
  answer: Answer,
): void {
  const one = (kind: keyof typeof possible, form: Form) =>
    readExpanding(provider, { form, possible: possible[kind], at: '' });
  const many = (kind: keyof typeof possible, form: Form) =>
    readExpanding(provider, { form, possible: possible[kind], at: 'data.' });

  app.get('/v1/charges', (request, reply) =>
    answer(request, reply, ({ form }) => {
      const expand = many('charge', form);
      const list = { form, url: '/v1/charges', table: 'charges', reader: chargeRow } as const;
      return listPage(provider, {
        ...list,
        filters: ['payment_intent'],
        wire: (row) => expand(chargeObject(row)),
      });
    }),
  );
  app.get('/v1/charges/:id', (request, reply) =>
    answer(request, reply, ({ id, form }) => {
      const expand = one('charge', form);
      const row = findCharge(provider, id);
      if (row === undefined) throw missing({ kind: 'charge', id, param: 'charge' });
      return expand(chargeObject(row));
    }),
  );

  app.post('/v1/refunds', (request, reply) =>
    answer(request, reply, ({ form, asker }) => {
      const expand = one('refund', form);
      const input = readRefundParams(provider, form);
      return expand(refundObject(createRefund(provider, { ...input, asker })));
    }),
  );
  app.get('/v1/refunds/:id', (request, reply) =>
    answer(request, reply, ({ id, form }) =>
      one('refund', form)(refundObject(getRefund(provider, id))),
    ),
  );
  app.get('/v1/refunds', (request, reply) =>
    answer(request, reply, ({ form }) => {
      const expand = many('refund', form);
      const list = { form, url: '/v1/refunds', table: 'refunds', reader: refundRow } as const;
      return listPage(provider, {
        ...list,
        filters: ['charge', 'payment_intent'],
        wire: (row) => expand(refundObject(row)),
      });
    }),
  );

  app.get('/v1/balance_transactions', (request, reply) =>
    answer(request, reply, ({ form }) =>
      listPage(provider, {
        form,
        url: '/v1/balance_transactions',
        table: 'balance_transactions' as const,
        filters: ['type', 'currency', 'source'],
        reader: balanceRow,
        wire: balanceObject,
      }),
    ),
  );

  app.get('/v1/disputes/:id', (request, reply) =>
    answer(request, reply, ({ id, form }) =>
      one('dispute', form)(wireDispute(provider, getDispute(provider, id))),
    ),
  );
  app.get('/v1/disputes', (request, reply) =>
    answer(request, reply, ({ form }) => {
      const expand = many('dispute', form);
      const list = { form, url: '/v1/disputes', table: 'disputes', reader: disputeRow } as const;
      return listPage(provider, {
        ...list,
        filters: ['charge', 'payment_intent'],
        wire: (row) => expand(wireDispute(provider, row)),
      });
    }),
  );
}
