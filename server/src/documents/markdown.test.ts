import { expect, test } from 'vitest';
import { htmlOf, readArticle } from './markdown.ts';

test('the Markdown renderer of news and pages turns each block into an HTML block, and the lines of a list into one list', () => {
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

test('the Markdown renderer of news and pages makes HTML tables, with row headers if the corner cell is empty', () => {
  expect(htmlOf('| Rank | Gift |\n| --- | --- |\n| 1 | **60** seals |')).toBe(
    '<table><thead><tr><th scope="col">Rank</th><th scope="col">Gift</th></tr></thead>' +
      '<tbody><tr><td>1</td><td><strong>60</strong> seals</td></tr></tbody></table>',
  );
  expect(htmlOf('|  | X |\n| --- | --- |\n| Thrust | 94 |')).toBe(
    '<table><thead><tr><td></td><th scope="col">X</th></tr></thead>' +
      '<tbody><tr><th scope="row">Thrust</th><td>94</td></tr></tbody></table>',
  );
});

test('the Markdown renderer of news and pages turns a picture into a figure with image and caption', () => {
  const text = '![A sea & **no** map](/art/solmere-detail-1-640.avif)\n\n![B](/art/x-640.avif)';
  expect(htmlOf(text)).toBe(
    '<figure><img src="/art/solmere-detail-1-640.avif" alt="" width="640" height="400" />' +
      '<figcaption>A sea &amp; <strong>no</strong> map</figcaption></figure>' +
      '<figure><img src="/art/x-640.avif" alt="" width="640" height="400" />' +
      '<figcaption>B</figcaption></figure>',
  );
});

test('the Markdown renderer of news and pages turns links and emphasis into HTML and escapes everything else', () => {
  expect(htmlOf('*A* & **B** <i> [C](/main/event)')).toBe(
    '<p><em>A</em> &amp; <strong>B</strong> &lt;i&gt; <a href="/main/event" rel="noopener">C</a></p>',
  );
});

test.each(['# A', '> A', '```', '- A\nB', '| A |\n| B |', '> [!NOTE]\nA'])(
  'the Markdown renderer of news and pages refuses a block that a shop cannot show: %j',
  (block) => {
    expect(() => htmlOf(block)).toThrow(/cannot (show|continue|read)/);
  },
);

test('a Markdown document of news or pages must begin with a header of fields, in which any other line is refused', () => {
  expect(readArticle('---\ntitle: "A: \\"B\\""\n---\n\nText\n')).toEqual({
    fields: { title: 'A: "B"' },
    lines: { title: 2 },
    text: '\nText\n',
    textLine: 4,
  });
  expect(() => readArticle('Text')).toThrow('does not begin with fields');
  expect(() => readArticle('---\ntitle: A\n---\n')).toThrow('title: A is no field');
});
