export const payPageStyle = `
:root { --ink: #16202e; --soft: #5a6678; --line: #d9dfe8; --accent: #0b6e5f; --accent-dark: #095a4e; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: #fff; color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; -webkit-text-size-adjust: 100%; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 10px 20px; background: #fff3d1;
  border-bottom: 1px solid #efd88f; font-size: 14px; color: #5c4300; }
.brand { font-weight: 700; }
.mode { padding: 1px 8px; border-radius: 4px; background: #8a5b00; color: #fff; font-size: 12px; font-weight: 700;
  letter-spacing: .04em; text-transform: uppercase; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; }
.checkout { flex: 1; display: grid; }
.summary { background: #f3f6f9; padding: 24px 20px 28px; }
.pay { padding: 28px 20px 40px; }
.back { display: inline-flex; gap: 8px; align-items: center; min-height: 44px; color: var(--soft); text-decoration: none; }
.back:hover { color: var(--ink); text-decoration: underline; }
.merchant { margin: 12px 0 0; color: var(--soft); overflow-wrap: anywhere; }
.total { margin: 0; font-size: 40px; line-height: 1.2; font-weight: 700; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.items { list-style: none; margin: 24px 0 0; padding: 0; }
.items li, .sum { display: flex; justify-content: space-between; gap: 16px; padding: 14px 0; margin: 0;
  border-top: 1px solid var(--line); }
.items li > span:first-child { min-width: 0; }
.name { display: block; font-weight: 600; overflow-wrap: anywhere; }
.detail { display: block; font-size: 14px; color: var(--soft); }
.detail:empty { display: none; }
.amount, .sum strong { white-space: nowrap; font-variant-numeric: tabular-nums; }
.card { position: relative; display: grid; grid-template-columns: 1fr auto; gap: 4px 16px; align-items: end; margin: 20px 0;
  padding: 18px 20px; border-radius: 14px; background: linear-gradient(135deg, #17324d, #0b5c58); color: #fff; }
.chip { grid-column: 1 / -1; width: 34px; height: 25px; margin-bottom: 22px; border-radius: 5px;
  background: linear-gradient(135deg, #f2dd9c, #c9a74e); }
.number { grid-column: 1 / -1; font: 600 18px/1.4 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.holder, .expiry { font-size: 13px; opacity: .85; }
form { margin: 12px 0 0; }
button, .button { display: block; width: 100%; min-height: 48px; padding: 10px 20px; border: 1px solid #b9c2cf;
  border-radius: 10px; background: #fff; color: var(--ink); font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: #f3f6f9; }
.primary { border-color: var(--accent); background: var(--accent); color: #fff; }
.primary:hover { background: var(--accent-dark); }
:focus-visible { outline: 3px solid #2f6fed; outline-offset: 2px; }
.alert { margin: 16px 0 0; padding: 12px 16px; border: 1px solid #f0b4ae; border-left: 4px solid #b3261e;
  border-radius: 8px; background: #fdf0ef; color: #7d1a14; }
details { margin-top: 20px; border: 1px solid var(--line); border-radius: 10px; }
summary { padding: 12px 16px; min-height: 44px; cursor: pointer; font-weight: 600; color: var(--soft); border-radius: 10px; }
details form { margin: 0; padding: 4px 16px 16px; }
details p { margin: 6px 0 0; font-size: 14px; color: var(--soft); }
.fine { margin: 20px 0 0; font-size: 13px; color: var(--soft); }
.notice { flex: 1; width: 100%; max-width: 460px; margin: 0 auto; padding: 64px 20px; text-align: center; }
.notice p { color: var(--soft); overflow-wrap: anywhere; }
.notice .button { margin-top: 24px; }
.notice input { width: 100%; min-height: 48px; margin: 16px 0 12px; padding: 10px 14px; border: 1px solid #b9c2cf;
  border-radius: 10px; font: inherit; }
.mark { display: inline-grid; place-items: center; width: 64px; height: 64px; margin-bottom: 16px; border-radius: 50%;
  font-size: 32px; font-weight: 700; }
.good { background: #d9f2ea; color: var(--accent-dark); }
.bad { background: #fbe3e1; color: #96201a; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (min-width: 900px) {
  .checkout { grid-template-columns: 1fr 1fr; }
  .summary { padding: 56px 64px; display: flex; flex-direction: column; align-items: flex-end; }
  .summary > * { width: 100%; max-width: 420px; }
  .pay { padding: 68px 64px; max-width: 548px; width: 100%; }
}
`;
