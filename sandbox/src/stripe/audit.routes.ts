import type { FastifyInstance, FastifyRequest } from 'fastify';
import { digestOf } from '../platform/digest.ts';
import { pageOf, pageRequest, queryNumber } from '../platform/pages.ts';
import { queryText } from '../platform/requests.ts';
import { object, oneOf, type Reader } from '../platform/shape.ts';
import { wireDispute } from './disputes.ts';
import { chargeObject, refundObject, type WireObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { acknowledgedPage, recordKinds, recordPage } from './records.ts';
import { chargeRow, disputeRow, refundRow } from './rows.ts';
import { expireDueSessions } from './sessions.ts';

const digests = oneOf(['charges', 'refunds', 'disputes']);
const kindParams = object({ kind: oneOf(recordKinds) });

/** What an auditor reads: everything page by page, or only what tells whether to. */
export function registerAuditRoutes(app: FastifyInstance, provider: Provider): void {
  app.get('/__sandbox/records/:kind', (request) => {
    expireDueSessions(provider);
    const { kind } = kindParams(request.params, 'params');
    return recordPage(provider, { kind, page: pageRequest(request) });
  });
  app.get('/__sandbox/acknowledged', (request) => acknowledgedPage(provider, pageRequest(request)));
  app.get('/__sandbox/digest', (request) =>
    digestOf(provider.db, digests(queryText(request, 'of'), 'of')),
  );

  app.get('/__sandbox/charges', (request) => {
    const { found, next } = chosen(provider, request, {
      table: 'charges',
      reader: chargeRow,
      wire: chargeObject,
    });
    return { charges: found, next };
  });
  app.get('/__sandbox/refunds', (request) => {
    const { found, next } = chosen(provider, request, {
      table: 'refunds',
      reader: refundRow,
      wire: refundObject,
    });
    return { refunds: found, next };
  });
  app.get('/__sandbox/disputes', (request) => {
    const { found, next } = chosen(provider, request, {
      table: 'disputes',
      reader: disputeRow,
      wire: (row) => wireDispute(provider, row),
    });
    return { disputes: found, next };
  });
}

/** Those of one bucket of the digest, or of one payment. */
function chosen<Row extends { payment_id: string | null }>(
  provider: Provider,
  request: FastifyRequest,
  input: { table: string; reader: Reader<Row>; wire: (row: Row) => WireObject },
) {
  const { table, reader, wire } = input;
  const bucket = queryNumber(request, 'bucket');
  const only =
    bucket === undefined
      ? { column: 'payment_id', value: queryText(request, 'paymentId') ?? '' }
      : { column: 'bucket', value: bucket };
  const page = pageRequest(request);
  const { rows, next } = pageOf(provider.db, { table, reader, page, only });
  // Refunds and disputes do not say themselves whose they are.
  return { found: rows.map(({ row }) => ({ ...wire(row), paymentId: row.payment_id })), next };
}
