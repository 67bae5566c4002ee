import {
  type ReportServersReply,
  reportServers,
  type ServerReport,
} from '@pointgate/contract/server-reports.ts';
import type { Tx } from '../../platform/db.ts';
import { type ArrivalSite, type ArrivalsContext, isGameOf } from './arrivals.ts';
import { isFirstTime, readSigned } from './game-request.ts';

/** Keeps a report, and returns the ids of servers that the shop does not have. */
export type KeepServerReport = (
  tx: Tx,
  report: ServerReport & { signedAt: Date },
) => Promise<string[]>;

/** Keeps what a game says about its servers. A replayed request is refused. */
export async function serversFromGame(
  {
    db,
    secretsOf,
    now,
    keepServerReport,
  }: ArrivalsContext & { keepServerReport: KeepServerReport },
  { body, signature, site }: { body: Buffer; signature: string; site: ArrivalSite },
): Promise<ReportServersReply> {
  const signed = await readSigned({ body, signature, secretsOf, nowMs: now() });
  if (signed === undefined) return { result: 'unauthorized' };
  const asked = reportServers.request.safeParse(signed.said);
  if (!asked.success) return { result: 'malformed' };
  const report = asked.data;

  return await db.transaction(async (tx): Promise<ReportServersReply> => {
    if (!(await isFirstTime(tx, signed))) return { result: 'unauthorized' };
    if (!isGameOf(site, report.gameId)) return { result: 'refused', reason: 'game_not_found' };
    const { signedAt } = signed;
    return { result: 'ok', unknownServers: await keepServerReport(tx, { ...report, signedAt }) };
  });
}
