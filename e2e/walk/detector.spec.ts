import { expect, type Page } from '@playwright/test';
import { test } from '../browser.ts';
import { inspectionScript, look } from '../screens/inspection.ts';
import { openTranslationCheck } from './untranslated.ts';

// Shows that the checks of the walk detect faults.

let script = '';
test.beforeAll(async () => {
  script = await inspectionScript();
});
test.use({ viewport: { width: 390, height: 844 } });

async function show(page: Page, body: string): Promise<void> {
  const style =
    '<style>body { margin: 0; font: 16px sans-serif; } button { padding: 14px; }</style>';
  await page.setContent(`<!doctype html><html lang="de-DE">${style}<body>${body}</body></html>`);
  await page.addScriptTag({ path: script });
}

const word = 'Zahlungspflichtig bestellen';
const button = (style: string, text = word) => `<button style="${style}">${text}</button>`;

for (const [fault, body, complaint] of [
  [
    'cut off within a line',
    button('width: 120px; overflow: hidden; white-space: nowrap'),
    /sideways/,
  ],
  [
    'truncated with an ellipsis',
    `<p style="width: 80px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">${word}</p>`,
    /sideways/,
  ],
  [
    'cut off below',
    button('width: 200px; height: 44px; overflow: hidden', `${word} ${word}`),
    /in height/,
  ],
  [
    'cut off by an outer element',
    `<div style="height: 8px; overflow: clip"><p><b>${word}</b></p></div>`,
    /in height/,
  ],
  [
    'beyond the edge of the window',
    `<div style="overflow-x: clip"><p style="margin-left: 340px; white-space: nowrap">${word}</p></div>`,
    /cut off/,
  ],
  ['wider than the window', '<div style="width: 500px">breit</div>', /moves sideways/],
  ['overlapping another button', button('') + button('margin-left: -40px'), /lies on/],
  ['too small to be tapped', button('width: 30px; height: 30px; padding: 0', '×'), /30×30/],
] as const) {
  test(`the screen check of the browser tests finds text or a button that is ${fault}`, async ({
    page,
  }) => {
    await show(page, body);
    expect((await look(page, true)).faults).toEqual([expect.stringMatching(complaint)]);
  });
}

test('the screen check of the browser tests accepts inline links, hidden texts, scroll areas, fixed bars and large tap areas', async ({
  page,
}) => {
  await show(
    page,
    `<h1>${word}</h1>
    <p>Ein <a href="#a">Verweis</a> in einem Satz, der über mehrere Zeilen geht und überall Platz hat.</p>
    <p style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">${word}</p>
    <div style="width: 200px; overflow-x: auto"><p style="width: 900px">${word}</p></div>
    <div style="position: fixed; bottom: 0; left: 0">${button('height: 800px')}</div>
    ${button('')}
    <p hidden>${word}</p>
    <button style="position: relative; width: 20px; height: 20px; padding: 0; margin: 40px">
      <i style="position: absolute; inset: -14px"></i>×</button>`,
  );
  expect((await look(page, true)).faults).toEqual([]);
});

test('the screen check of the browser tests reads only the dialog while a dialog is open', async ({
  page,
}) => {
  await show(page, `<div style="width: 500px">${button('')}</div><dialog><p>Ja?</p></dialog>`);
  await page.evaluate('document.querySelector("dialog").showModal()');
  const { texts } = await look(page, true);
  expect(texts.map(({ text }) => text)).toEqual(['', 'Ja?']);
});

test('the screen check of the browser tests reads texts and accessible names with their declared language', async ({
  page,
}) => {
  await show(page, '<p>Eins</p><p lang="en-US">Two</p><button aria-label="Drei">×</button>');
  expect((await look(page, true)).texts).toEqual([
    { text: '', language: 'de-DE' },
    { text: 'Eins', language: 'de-DE' },
    { text: 'Two', language: 'en-US' },
    { text: '×', language: 'de-DE' },
    { text: 'Drei', language: 'de-DE' },
  ]);
});

const english = { 'pay.now': 'Pay now', 'pay.for': 'Pay now for {{goods}}', 'pay.card': 'Visa' };
const texts = new Set(['Sold to you by the publisher']);

/** Runs the translation check on one text, for a shop with these translations. */
function openShop(locale: string, words: Record<string, string>) {
  const given = { english: new Map(Object.entries(english)), locale };
  const judge = openTranslationCheck({ ...given, translated: new Map(Object.entries(words)) });
  return (text: string, language = locale) => judge([{ text, language }], texts);
}

test('the translation check of the browser tests finds text keys and untranslated English, and accepts translations', () => {
  const faultsOf = openShop('de-DE', {
    'pay.now': 'Jetzt bezahlen',
    'pay.for': '{{goods}} bezahlen',
    'pay.card': 'Visa',
  });
  expect(faultsOf('pay.later')).toEqual([expect.stringContaining('pay.later')]);
  expect(faultsOf('Pay now')).toEqual([expect.stringContaining('pay.now')]);
  expect(faultsOf('Pay now for 300 Splitter')).toEqual([expect.stringContaining('pay.for')]);
  expect(faultsOf('Sold to you by the publisher')).toEqual([
    expect.stringContaining('only in English'),
  ]);
  for (const text of ['Jetzt bezahlen', 'Visa', '300 bezahlen', 'example.com', 'Aveline']) {
    expect(faultsOf(text)).toEqual([]);
  }
  expect(faultsOf('Pay now', 'en-US')).toEqual([]);
});

test('the translation check of the browser tests finds a missing translation by its English fallback', () => {
  const faultsOf = openShop('zh-CN', { 'pay.card': 'Visa' });
  expect(faultsOf('Pay now')).toEqual([expect.stringContaining('pay.now')]);
  expect(faultsOf('Pay now for 300 碎片')).toEqual([expect.stringContaining('pay.for')]);
});

test('the translation check of the browser tests finds a translation that is still English, and accepts a name', () => {
  const faultsOf = openShop('zh-CN', { ...english, 'pay.for': '支付 {{goods}}' });
  expect(faultsOf('Pay now')).toEqual([expect.stringContaining('pay.now')]);
  expect(faultsOf('Visa')).toEqual([]);
  expect(faultsOf('支付 300 碎片')).toEqual([]);
});
