import { callOut, OutboundFailure } from '../../../platform/outbound.ts';
import type { Settlement } from '../psp.ts';
import { timeoutMs } from './client.ts';
import type { AdyenOptions } from './options.ts';
import { readReport } from './settlement-lines.ts';

// Some 300,000 lines.
const fileBytesMax = 64 * 1024 * 1024;

/**
 * Fetches the settlement details report of a day. Adyen creates it when the day's batch closes; until
 * then the file does not exist.
 */
export async function settlement(
  options: AdyenOptions,
  { from }: { from: Date; until: Date; reportId: string | null },
): Promise<Settlement> {
  const file = `settlement_detail_report_${from.toISOString().slice(0, 10).replaceAll('-', '_')}.csv`;
  const { merchantAccount } = options;
  const folder = `${homeOf(options)}/reports/download/MerchantAccount`;
  try {
    const { status, body } = await callOut({
      url: `${folder}/${encodeURIComponent(merchantAccount)}/${file}`,
      method: 'GET',
      headers: { 'x-api-key': options.apiKey },
      timeoutMs,
      replyBytesMax: fileBytesMax,
    });
    if (status === 404) return { outcome: 'not_ready', reportId: file };
    if (status !== 200) return { outcome: 'unknown', cause: `HTTP ${status} for ${file}` };
    return readReport(new TextDecoder().decode(body), merchantAccount);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { outcome: 'unknown', cause: error.message };
  }
}

function homeOf({ environment, apiBase }: AdyenOptions): string {
  return apiBase ?? `https://ca-${environment}.adyen.com`;
}
