import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from './database.ts';
import { onlyOfPayments, pageRequest } from './pages.ts';
import { acknowledgedPage, deliveryRow, noRecords, type Records } from './records.ts';
import { name, object, type ReadBy, type Reader, ShapeError } from './shape.ts';

const kindParams = object({ kind: name });

/**
 * What an auditor reads: everything page by page, or what is of some payments. All providers are
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
  const { charges, refunds } = input;
  for (const [path, records] of Object.entries({ charges, refunds, disputes })) {
    app.get(`/__sandbox/${path}`, (request) => {
      const { found, next } = chosen(db, request, records);
      return { [path]: found, next };
    });
  }
}

/** Of one payment, or of a range of them. */
function chosen(db: Database, request: FastifyRequest, records: Records) {
  const { entries, next } = records.page(db, pageRequest(request), onlyOfPayments(request));
  return { found: entries.map(({ record }) => record), next };
}
