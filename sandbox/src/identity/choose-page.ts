import { type Html, html, trusted } from '../platform/html.ts';
import { people } from './people.ts';

/**
 * The page on which a test person is chosen and consents, or cancels. `fields` are submitted with
 * the choice.
 */
export function choosePage(input: {
  provider: string;
  client: string;
  action: string;
  fields: Record<string, string>;
  /** The URL fragment that WeChat requires; its page does nothing without it. */
  neededHash?: string;
}): string {
  const fields = Object.entries(input.fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Sign in with ${input.provider} (sandbox)</title>
<style>${trusted(style)}</style>
</head>
<body>
<main${input.neededHash === undefined ? '' : html` data-hash="${input.neededHash}"`}>
<h1>Sign in with ${input.provider}</h1>
<p><strong>${input.client}</strong> wants to know who you are. This is a sandbox: choose somebody.</p>
<form method="post" action="${input.action}">
${fields}
${people.map(
  ({ id, name, email }) =>
    html`<button name="person" value="${id}"><b>${name}</b><span>${email}</span></button>`,
)}
<button name="person" value="" class="cancel">Cancel</button>
</form>
</main>
${input.neededHash === undefined ? '' : trusted(hashScript)}
</body>
</html>`.markup;
}

export function sorryPage(why: string): string {
  const page: Html = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox</title><style>${trusted(style)}</style></head>
<body><main><h1>This does not work</h1><p>${why}</p></main></body>
</html>`;
  return page.markup;
}

// Checked by a script, because the URL fragment never reaches the server.
const hashScript = `<script>
const main = document.querySelector('main');
if (location.hash !== main.dataset.hash) {
  main.innerHTML = '<h1>This does not work</h1><p>The address has to end in #wechat_redirect.</p>';
}
</script>`;

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5dae3, #3a424f); }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif;
  background: light-dark(#f6f7f9, #14171c); color: light-dark(#1b212b, #e8ecf2); }
main { box-sizing: border-box; width: min(420px, calc(100vw - 32px)); padding: 32px; border: 1px solid var(--line); border-radius: 16px;
  background: light-dark(#fff, #1c2027); }
h1 { font-size: 22px; margin: 0 0 8px; } p { margin: 0 0 20px; }
form { display: grid; gap: 10px; }
button { display: grid; padding: 12px 16px; min-height: 48px; text-align: left; font: inherit; color: inherit; cursor: pointer;
  border: 1px solid var(--line); border-radius: 10px; background: none; }
button:hover, button:focus-visible { border-color: light-dark(#2f55d4, #9db4ff); }
button span { font-size: 13px; opacity: .75; } .cancel { text-align: center; }
`;
