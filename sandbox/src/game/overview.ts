import { html } from '../platform/html.ts';
import { overviewPage } from '../platform/overview-page.ts';
import type { Game } from './game.ts';
import { countOf, newestCalls, newestGrants } from './records.ts';

const shown = 50;

export function overview(game: Game): string {
  return overviewPage({
    title: 'Sandbox game server',
    lead: 'What this test game has been told and what it has given, newest first.',
    facts: [
      ['Calls', countOf(game, 'calls')],
      ['Grants', countOf(game, 'grants')],
      ['Revocations', countOf(game, 'revocations')],
      ['Gives once per payment', game.isDeduplicating ? 'yes' : 'no'],
      ['Gives after a revocation', game.hasTombstones ? 'no' : 'yes'],
      ['Faults waiting', game.faults.list().length],
    ],
    tables: [
      {
        title: 'Grants',
        columns: [
          ...[
            'Time',
            'Payment',
            'Game',
            'Account',
            'Server',
            'Role',
            'Item',
            'Quantity',
            'Revoked',
          ],
        ],
        rows: newestGrants(game, shown).map((grant) => [
          grant.at,
          html`<a href="/__sandbox/grants?paymentId=${encodeURIComponent(grant.paymentId)}">${grant.paymentId}</a>`,
          grant.gameId,
          grant.gameAccountId,
          grant.serverId,
          grant.roleId,
          grant.sku,
          grant.quantity,
          grant.revoked ? 'yes' : 'no',
        ]),
      },
      {
        title: 'Calls',
        columns: ['Time', 'Call', 'Payment', 'Status', 'Reply'],
        rows: newestCalls(game, shown).map((call) => [
          call.at,
          call.call,
          call.paymentId,
          call.status ?? 'cut',
          JSON.stringify(call.reply).slice(0, 120),
        ]),
      },
    ],
  });
}
