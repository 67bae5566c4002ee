import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from './database.ts';
import { digestOf } from './digest.ts';
import { pageRequest, queryNumber } from './pages.ts';
import { acknowledgedPage, deliveryRow, noRecords, type Records } from './records.ts';
import { queryText } from './requests.ts';
import { name, object, oneOf, type ReadBy, type Reader, ShapeError } from './shape.ts';

const digests = oneOf(['charges', 'refunds', 'disputes']);
const kindParams = object({ kind: name });

/**
 * What an auditor reads: everything page by page, or only what tells whether to. All providers are
 * read at the same addresses and in the same words.
 */
export function registerAudit(
  app: FastifyInstance,
  db: Database,
  input: {
    /** All that can be read, by the name it has in an address. */
    kinds: Readonly<Record<string, Records>>;
    charges: Records;
    refunds: Records;
    /** None where no payer has a bank that would take money back. */
    disputes: Records | 'none';
    deliveries?: Reader<ReadBy<typeof deliveryRow>>;
    /** Brings up to date what is over by itself. */
    before?: () => void;
  },
): void {
  const { kinds, before = () => {}, deliveries = deliveryRow } = input;
  const hasDisputes = input.disputes !== 'none';
  const disputes = input.disputes === 'none' ? noRecords : input.disputes;

  app.get('/__sandbox/records/:kind', (request) => {
    before();
    const { kind } = kindParams(request.params, 'params');
    const records = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (records === undefined) {
      throw new ShapeError(`kind must be one of ${Object.keys(kinds).join(', ')}`);
    }
    const { entries, next } = records.page(db, pageRequest(request));
    return { records: entries.map(({ seq, record }) => ({ seq, ...record })), next };
  });
  app.get('/__sandbox/acknowledged', (request) =>
    acknowledgedPage(db, { reader: deliveries, page: pageRequest(request) }),
  );
  app.get('/__sandbox/digest', (request) => {
    const table = digests(queryText(request, 'of'), 'of');
    return table === 'disputes' && !hasDisputes ? { buckets: [] } : digestOf(db, table);
  });
  const { charges, refunds } = input;
  for (const [path, records] of Object.entries({ charges, refunds, disputes })) {
    app.get(`/__sandbox/${path}`, (request) => {
      const { found, next } = chosen(db, request, records);
      return { [path]: found, next };
    });
  }
}

/** Those of one bucket of the digest, or of one payment. */
function chosen(db: Database, request: FastifyRequest, records: Records) {
  const bucket = queryNumber(request, 'bucket');
  const only =
    bucket === undefined
      ? { column: 'payment_id', value: queryText(request, 'paymentId') ?? '' }
      : { column: 'bucket', value: bucket };
  const { entries, next } = records.page(db, pageRequest(request), only);
  return { found: entries.map(({ record }) => record), next };
}
