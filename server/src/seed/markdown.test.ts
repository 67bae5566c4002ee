import { expect, test } from 'vitest';
import { htmlOf, readArticle } from './markdown.ts';

test('each block of a Markdown text becomes an HTML block, and the lines of a list one list', () => {
  const blocks = [
    '## A',
    'C',
    '- D\n- E',
    '1. F\n2. G',
    '> [!NOTE]\n> H',
    '> [!WARNING]\n> I',
    '- J',
  ];
  expect(htmlOf(blocks.join('\n\n'))).toBe(
    '<h2>A</h2><p>C</p><ul><li>D</li><li>E</li></ul>' +
      '<ol><li>F</li><li>G</li></ol><p class="note">H</p><p class="warning">I</p><ul><li>J</li></ul>',
  );
});

test('a Markdown table becomes an HTML table, with row headers where its corner cell is empty', () => {
  expect(htmlOf('| Rank | Gift |\n| --- | --- |\n| 1 | **60** seals |')).toBe(
    '<table><thead><tr><th scope="col">Rank</th><th scope="col">Gift</th></tr></thead>' +
      '<tbody><tr><td>1</td><td><strong>60</strong> seals</td></tr></tbody></table>',
  );
  expect(htmlOf('|  | X |\n| --- | --- |\n| Thrust | 94 |')).toBe(
    '<table><thead><tr><td></td><th scope="col">X</th></tr></thead>' +
      '<tbody><tr><th scope="row">Thrust</th><td>94</td></tr></tbody></table>',
  );
});

test('a Markdown picture becomes a figure with image and caption', () => {
  const text = '![A sea & **no** map](/art/solmere-detail-1-640.avif)\n\n![B](/art/x-640.avif)';
  expect(htmlOf(text)).toBe(
    '<figure><img src="/art/solmere-detail-1-640.avif" alt="" width="640" height="400" />' +
      '<figcaption>A sea &amp; <strong>no</strong> map</figcaption></figure>' +
      '<figure><img src="/art/x-640.avif" alt="" width="640" height="400" />' +
      '<figcaption>B</figcaption></figure>',
  );
});

test('links and emphasis of a Markdown text become HTML, and everything else is escaped', () => {
  expect(htmlOf('*A* & **B** <i> [C](/main/event)')).toBe(
    '<p><em>A</em> &amp; <strong>B</strong> &lt;i&gt; <a href="/main/event" rel="noopener">C</a></p>',
  );
});

test.each(['# A', '> A', '```', '- A\nB', '| A |\n| B |', '> [!NOTE]\nA'])(
  'the Markdown block %j, which a shop cannot show, is refused',
  (block) => {
    expect(() => htmlOf(block)).toThrow(/cannot (show|continue|read)/);
  },
);

test('a Markdown document of a shop begins with a header of fields, in which any other line is refused', () => {
  expect(readArticle('---\ntitle: "A: \\"B\\""\n---\n\nText\n')).toEqual({
    fields: { title: 'A: "B"' },
    text: '\nText\n',
  });
  expect(() => readArticle('Text')).toThrow('does not begin with fields');
  expect(() => readArticle('---\ntitle: A\n---\n')).toThrow('title: A is no field');
});
