import { type Html, html, trusted } from './html.ts';
import { pageStyle } from './overview-page.ts';

export type InboxEntry = {
  at: string;
  to: string;
  from: string;
  subject: string | null;
  text: string;
  more: Html | null;
};

/** The inbox page: complete messages, newest first, of all recipients or one. */
export function inboxPage(input: {
  title: string;
  lead: string;
  to: string | undefined;
  entries: readonly InboxEntry[];
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${input.title}</title>
<style>${trusted(pageStyle)}${trusted(style)}</style>
</head>
<body>
<header><h1>${input.title}</h1><p>${input.lead}</p></header>
<form><label>To <input name="to" value="${input.to ?? ''}"></label> <button>Show</button></form>
<main>${input.entries.length === 0 ? html`<p>Nothing yet.</p>` : input.entries.map(article)}</main>
</body>
</html>`.markup;
}

function article({ at, to, from, subject, text, more }: InboxEntry): Html {
  return html`<article>
<h2>${subject ?? to}</h2>
<p>To ${to}, from ${from}, <time datetime="${at}">${at}</time></p>
<pre>${text}</pre>
${more}
</article>`;
}

const style = `
form { margin: 20px 0; } input, button { font: inherit; padding: 6px 10px; }
article { margin: 0 0 16px; padding: 16px; border: 1px solid var(--line); border-radius: 10px;
  background: light-dark(#fff, #1c2027); }
article h2 { margin: 0; } article p { margin: 4px 0 12px; color: var(--soft); overflow-wrap: anywhere; }
pre { margin: 0 0 12px; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
