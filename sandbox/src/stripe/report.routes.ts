import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { name, object } from '../platform/shape.ts';
import type { Answer } from './call.ts';
import { expansions } from './params.ts';
import type { Provider } from './provider.ts';
import { fileObject, filePartsOf, getFile } from './report-files.ts';
import { readReportParams } from './report-params.ts';
import {
  createReportRun,
  reportRunObject,
  reportTypeObject,
  retrieveReportRun,
} from './reports.ts';

/** The report API: creating a run, polling it, and downloading its file. */
export function registerReportRoutes(
  app: FastifyInstance,
  provider: Provider,
  answer: Answer,
): void {
  app.post('/v1/reporting/report_runs', (request, reply) =>
    answer(request, reply, ({ form, origin }) => {
      expansions(form, []);
      const params = readReportParams(form, provider.reportPlan.availableUntil);
      return reportRunObject(provider, createReportRun(provider, params), origin);
    }),
  );
  app.get('/v1/reporting/report_runs/:id', (request, reply) =>
    answer(request, reply, ({ id, form, origin }) => {
      expansions(form, []);
      return reportRunObject(provider, retrieveReportRun(provider, { id, origin }), origin);
    }),
  );
  app.get('/v1/reporting/report_types/:id', (request, reply) =>
    answer(request, reply, ({ id }) => reportTypeObject(provider, id)),
  );

  app.get('/v1/files/:id', (request, reply) =>
    answer(request, reply, ({ id, origin }) => fileObject(getFile(provider, id), origin)),
  );
  app.get('/v1/files/:id/contents', (request, reply) =>
    answer(
      request,
      reply,
      ({ id, origin }) => fileObject(getFile(provider, id), origin),
      (found) => {
        const file = getFile(provider, object({ id: name })(request.params, 'params').id);
        return found
          .type('text/csv; charset=utf-8')
          .header('content-length', file.size)
          .send(Readable.from(filePartsOf(provider, file.id)));
      },
    ),
  );
}
