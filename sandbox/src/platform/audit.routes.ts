import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from './database.ts';
import { onlyOfPayments, pageRequest } from './pages.ts';
import { acknowledgedPage, deliveryRow, noRecords, type Records } from './records.ts';
import { name, object, type ReadBy, type Reader, ShapeError } from './shape.ts';

const kindParams = object({ kind: name });

/**
 * What an auditor reads: all records page by page, or those of some payments. The URLs and the
 * record format are the same for all providers.
 */
export function registerAudit(
  app: FastifyInstance,
  db: Database,
  input: {
    /** The kinds of records that can be read, by their name in the URL. */
    kinds: Readonly<Record<string, Records>>;
    charges: Records;
    refunds: Records;
    /** `none` for a provider without disputes. */
    disputes: Records | 'none';
    deliveries?: Reader<ReadBy<typeof deliveryRow>>;
    /** Expires whatever has reached its end by the sandbox clock. */
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

/** The records of one payment or of a range of payment ids. */
function chosen(db: Database, request: FastifyRequest, records: Records) {
  const { entries, next } = records.page(db, pageRequest(request), onlyOfPayments(request));
  return { found: entries.map(({ record }) => record), next };
}
