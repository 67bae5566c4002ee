/**
 * Demo texts are JSON files with one line per block, whose kind is a mark at its beginning, so that
 * translators see no HTML. `@ name words` is a picture with its caption. Inline: `**strong**`,
 * `*emphasis*` and `[link](/address)`.
 */
export function htmlOfLines(lines: readonly string[]): string {
  const html: string[] = [];
  for (let from = 0; from < lines.length; ) {
    const { block, mark } = kindOf(lines[from] ?? '');
    let until = from + 1;
    // Adjacent list items form one list, and adjacent rows one table.
    while (block.isShared && until < lines.length && kindOf(lines[until] ?? '').mark === mark) {
      until += 1;
    }
    const content = lines.slice(from, until).map((line) => line.slice(mark.length).trim());
    html.push(block.write(content));
    from = until;
  }
  return html.join('');
}

interface Block {
  isShared: boolean;
  write: (content: readonly string[]) => string;
}

const blocks: Record<string, Block> = {
  '# ': single('<h2>', '</h2>'),
  '^ ': single('<p class="lead">', '</p>'),
  '> ': single('<p class="note">', '</p>'),
  '! ': single('<p class="warning">', '</p>'),
  '@ ': { isShared: false, write: ([line = '']) => pictureOf(line) },
  '- ': { isShared: true, write: (items) => `<ul>${itemsOf(items)}</ul>` },
  '1. ': { isShared: true, write: (items) => `<ol>${itemsOf(items)}</ol>` },
  '|': { isShared: true, write: tableOf },
};
const paragraph = single('<p>', '</p>');

function kindOf(line: string): { block: Block; mark: string } {
  const [mark, block] = Object.entries(blocks).find(([start]) => line.startsWith(start)) ?? [];
  if (mark === undefined || block === undefined) return { block: paragraph, mark: '' };
  return { block, mark };
}

function single(open: string, close: string): Block {
  return { isShared: false, write: ([line = '']) => open + inline(line) + close };
}

function pictureOf(line: string): string {
  const [name = '', ...words] = line.split(' ');
  const picture = `<img src="/art/${name}-640.avif" alt="" width="640" height="400" />`;
  return `<figure>${picture}<figcaption>${inline(words.join(' '))}</figcaption></figure>`;
}

function itemsOf(items: readonly string[]): string {
  return items.map((item) => `<li>${inline(item)}</li>`).join('');
}

/** The first row has the column headers. If its first cell is empty, each row has a row header. */
function tableOf(rows: readonly string[]): string {
  const [head = [], ...rest] = rows.map((row) => row.split('|').map((cell) => inline(cell.trim())));
  const hasRowNames = head[0] === '';
  const named = head.map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${cell}</th>`));
  const body = rest.map((cells) =>
    cells.map((cell, column) =>
      hasRowNames && column === 0 ? `<th scope="row">${cell}</th>` : `<td>${cell}</td>`,
    ),
  );
  const rowsOf = (written: readonly string[][]) =>
    written.map((cells) => `<tr>${cells.join('')}</tr>`).join('');
  return `<table><thead>${rowsOf([named])}</thead><tbody>${rowsOf(body)}</tbody></table>`;
}

function inline(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\[([^\]]+)\]\(([^)\s"]+)\)/g, '<a href="$2" rel="noopener">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>');
}
