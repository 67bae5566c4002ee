import type { FastifyInstance } from 'fastify';
import { type Html, html, trusted } from '../platform/html.ts';
import { queryText } from '../platform/requests.ts';
import { type Question, readLink } from './desk.ts';

/** The customer service page: shows the game account and the order of the link. */
export function registerDeskRoutes(app: FastifyInstance, secret: string | undefined): void {
  if (secret === undefined) return;
  app.get('/desk', (request, reply) => {
    const origin = `http://${request.headers.host}`;
    const token = queryText(request, 'token') ?? '';
    const read = readLink(token, { secret, origin, now: Date.now() });
    const isRefused = typeof read === 'string';
    return reply
      .code(isRefused ? 403 : 200)
      .type('text/html; charset=utf-8')
      .send(isRefused ? page('This link does not work', html`<p>${read}</p>`) : deskPage(read));
  });
}

function deskPage({ iss, gameAccountId, paymentId, locale }: Question): string {
  const facts = [
    ['Site', iss],
    ['Game account', gameAccountId ?? 'none'],
    ['Order', paymentId ?? 'none'],
    ['Language', locale],
  ] as const;
  return page(
    'Customer service',
    html`<p>This is a sandbox: nobody reads along. A real desk would know this of you already:</p>
<dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`,
  );
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title} (sandbox)</title>
<style>${trusted(style)}</style>
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>`.markup;
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif;
  background: light-dark(#f6f7f9, #14171c); color: light-dark(#1b212b, #e8ecf2); }
main { box-sizing: border-box; width: min(520px, calc(100vw - 32px)); padding: 32px; border: 1px solid light-dark(#d5dae3, #3a424f);
  border-radius: 16px; background: light-dark(#fff, #1c2027); }
h1 { font-size: 24px; margin: 0 0 8px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 8px 20px; margin: 0; } dt { opacity: .75; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
`;
