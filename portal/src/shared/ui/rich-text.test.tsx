import { keptAttributes, richTextTags } from '@pointgate/contract/rich-text.ts';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { hostileHtml } from '../../../../contract/test/hostile-html.ts';
import '../../../test/browser.ts';
import { cleanNodes } from './clean-nodes.ts';
import { RichText } from './rich-text.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function elementsIn(nodes: ParentNode): [string, Record<string, string>][] {
  return [...nodes.querySelectorAll('*')].map((element) => [
    element.localName,
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  ]);
}

function expectHarmless(nodes: ParentNode): void {
  for (const [tag, attributes] of elementsIn(nodes)) {
    expect(richTextTags).toContain(tag);
    expect(attributes).toEqual(keptAttributes(tag, attributes));
  }
  for (const element of nodes.querySelectorAll('*')) {
    expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
  }
}

test.each(hostileHtml)(
  'hostile HTML that no server has sanitised is sanitised in the browser: %j',
  (html) => {
    for (const around of [html, `<p>${html}</p>`, `<table><tr><td>${html}</td></tr></table>`]) {
      const nodes = cleanNodes(around);
      expectHarmless(nodes);
      // A second parse of the serialised nodes must not create other elements (mutation XSS).
      const place = document.createElement('div');
      place.append(nodes);
      const again = document.createElement('div');
      again.innerHTML = place.innerHTML;
      expectHarmless(again);
    }
  },
);

test('an HTML text of the publisher is rendered unchanged and marked with its language', async () => {
  const html =
    '<h2>Tidefall</h2><p class="lead">Read <a href="/main/event" rel="noopener">all rules</a>.</p>' +
    '<table><tbody><tr><td colspan="2">1</td></tr></tbody></table>' +
    '<img src="/art/shard1-384.avif" alt="A shard">';
  // The sanitiser is loaded with the first text.
  const { container } = await act(async () => render(<RichText html={html} locale="de-DE" />));
  const heading = await screen.findByRole('heading', { name: 'Tidefall' });
  expect(heading.closest('[lang]')?.getAttribute('lang')).toBe('de-DE');
  expect(screen.getByRole('link', { name: 'all rules' }).getAttribute('href')).toBe('/main/event');
  expect(container.querySelector('.rich-text')?.innerHTML).toBe(html);
});

test('a changed HTML text of the publisher replaces the first text and runs no script', async () => {
  const alert = vi.fn();
  vi.stubGlobal('alert', alert);
  const { rerender } = await act(async () =>
    render(<RichText html="<p>first</p>" locale="en-US" />),
  );
  await screen.findByText('first');
  await act(async () =>
    rerender(
      <RichText
        html={
          '<p onclick="alert(1)">second<img src="x" onerror="alert(1)"></p><script>alert(1)</script>'
        }
        locale="en-US"
      />,
    ),
  );
  (await screen.findByText('second')).click();
  expect(screen.queryByText('first')).toBeNull();
  expect(screen.queryByRole('img')).toBeNull();
  expect(alert).not.toHaveBeenCalled();
});
