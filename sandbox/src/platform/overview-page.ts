import { type Html, html, trusted } from './html.ts';

export type OverviewTable = {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (Html | string | number | null)[])[];
};

/** The overview page: tables of the latest records, newest first. */
export function overviewPage(input: {
  title: string;
  lead: string;
  facts: readonly [label: string, value: string | number][];
  tables: readonly OverviewTable[];
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${input.title}</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<header><h1>${input.title}</h1><p>${input.lead}</p></header>
<dl>${input.facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
<main>${input.tables.map(table)}</main>
</body>
</html>`.markup;
}

function table({ title, columns, rows }: OverviewTable): Html {
  if (rows.length === 0) return html`<section><h2>${title}</h2><p>Nothing yet.</p></section>`;
  return html`<section><h2>${title}</h2><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div></section>`;
}

export const pageStyle = `
:root { color-scheme: light dark; --line: light-dark(#dfe3ea, #333a46); --soft: light-dark(#5b6472, #a3adbb); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1280px; padding: 32px 20px 64px; font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#f6f7f9, #14171c); color: light-dark(#1b212b, #e8ecf2); }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 16px; margin: 32px 0 8px; }
header p, section p { margin: 4px 0 0; color: var(--soft); }
dl { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 0; }
dl div { padding: 10px 16px; border: 1px solid var(--line); border-radius: 10px; background: light-dark(#fff, #1c2027); }
dt { font-size: 12px; color: var(--soft); } dd { margin: 0; font-size: 18px; font-weight: 600; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: light-dark(#fff, #1c2027); }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { padding: 8px 14px; text-align: left; white-space: nowrap; border-top: 1px solid var(--line);
  font-variant-numeric: tabular-nums; max-width: 320px; overflow: hidden; text-overflow: ellipsis; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; }
a { color: light-dark(#2f55d4, #9db4ff); }
`;
