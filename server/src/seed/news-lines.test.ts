import { expect, test } from 'vitest';
import { htmlOfLines } from './news-lines.ts';

test('each line of demo news becomes an HTML block by its prefix, and adjacent list items one list', () => {
  const lines = ['# A', '^ B', 'C', '- D', '- E', '1. F', '1. G', '> H', '! I', '- J'];
  expect(htmlOfLines(lines)).toBe(
    '<h2>A</h2><p class="lead">B</p><p>C</p><ul><li>D</li><li>E</li></ul>' +
      '<ol><li>F</li><li>G</li></ol><p class="note">H</p><p class="warning">I</p><ul><li>J</li></ul>',
  );
});

test('table lines of demo news become a table, with row headers where its corner cell is empty', () => {
  expect(htmlOfLines(['| Rank | Gift', '| 1 | **60** seals'])).toBe(
    '<table><thead><tr><th scope="col">Rank</th><th scope="col">Gift</th></tr></thead>' +
      '<tbody><tr><td>1</td><td><strong>60</strong> seals</td></tr></tbody></table>',
  );
  expect(htmlOfLines(['| | X', '| Thrust | 94'])).toBe(
    '<table><thead><tr><td></td><th scope="col">X</th></tr></thead>' +
      '<tbody><tr><th scope="row">Thrust</th><td>94</td></tr></tbody></table>',
  );
});

test('a picture line of demo news becomes a figure with image and caption', () => {
  expect(htmlOfLines(['@ solmere-detail-1 A sea & **no** map', '@ x B'])).toBe(
    '<figure><img src="/art/solmere-detail-1-640.avif" alt="" width="640" height="400" />' +
      '<figcaption>A sea &amp; <strong>no</strong> map</figcaption></figure>' +
      '<figure><img src="/art/x-640.avif" alt="" width="640" height="400" />' +
      '<figcaption>B</figcaption></figure>',
  );
});

test('links and emphasis of demo news become HTML, and everything else is escaped', () => {
  expect(htmlOfLines(['*A* & **B** <i> [C](/main/event)'])).toBe(
    '<p><em>A</em> &amp; <strong>B</strong> &lt;i&gt; <a href="/main/event" rel="noopener">C</a></p>',
  );
});
