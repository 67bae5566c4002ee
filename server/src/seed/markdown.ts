/** A Markdown document: the fields between its first two lines `---`, and the text after them. */
export interface Article {
  fields: Record<string, unknown>;
  text: string;
}

/** Fields are lines such as `title: "Text"`, the value as in JSON. Throws if they are not. */
export function readArticle(source: string): Article {
  const [whole, head] = /^---\n([\s\S]*?\n)---\n/.exec(source) ?? [];
  if (whole === undefined || head === undefined) throw new Error('does not begin with fields');
  const fields = head
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, name, value] = /^(\w+): (".*")$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`${line} is no field`);
      return [name, JSON.parse(value)];
    });
  return { fields: Object.fromEntries(fields), text: source.slice(whole.length) };
}

/**
 * The part of Markdown that texts of a shop need: headings, lists, tables, pictures, notes and
 * warnings, `**strong**`, `*emphasis*` and links. HTML is shown as it is written. Throws on a block
 * that it does not know.
 */
export function htmlOf(text: string): string {
  const blocks = text.trim().split(/\n{2,}/);
  return blocks.map((block) => htmlOfBlock(block.split('\n'))).join('');
}

/** A paragraph of inline Markdown. */
export function paragraphOf(text: string, kind?: 'lead' | 'note' | 'warning'): string {
  return `<p${kind === undefined ? '' : ` class="${kind}"`}>${inline(text)}</p>`;
}

function htmlOfBlock(lines: readonly string[]): string {
  const [first = '', ...rest] = lines;
  const [, heading] = /^## (.+)$/.exec(first) ?? [];
  if (heading !== undefined && rest.length === 0) return `<h2>${inline(heading)}</h2>`;
  const [, caption, source] = /^!\[(.*)\]\(([^)\s"]+)\)$/.exec(first) ?? [];
  if (caption !== undefined && source !== undefined && rest.length === 0) {
    return pictureOf(source, caption);
  }
  const [, kind] = /^> \[!(NOTE|WARNING)\]$/.exec(first) ?? [];
  if (kind !== undefined) {
    const words = contentOf(rest, /^> /).join(' ');
    return paragraphOf(words, kind === 'NOTE' ? 'note' : 'warning');
  }
  if (first.startsWith('- ')) return `<ul>${itemsOf(contentOf(lines, /^- /))}</ul>`;
  if (/^\d+\. /.test(first)) return `<ol>${itemsOf(contentOf(lines, /^\d+\. /))}</ol>`;
  if (first.startsWith('|')) return tableOf(contentOf(lines, /^\|/));
  if (/^(#|>|```|!\[)/.test(first)) throw new Error(`cannot show the block ${first}`);
  return paragraphOf(lines.join(' '));
}

/** The lines of a block without the mark with which each of them begins. */
function contentOf(lines: readonly string[], mark: RegExp): string[] {
  return lines.map((line) => {
    if (!mark.test(line)) throw new Error(`cannot continue a block with ${line}`);
    return line.replace(mark, '').trim();
  });
}

function pictureOf(source: string, caption: string): string {
  const picture = `<img src="${source}" alt="" width="640" height="400" />`;
  return `<figure>${picture}<figcaption>${inline(caption)}</figcaption></figure>`;
}

function itemsOf(items: readonly string[]): string {
  return items.map((item) => `<li>${inline(item)}</li>`).join('');
}

/** The first row has the column headers. If its first cell is empty, each row has a row header. */
function tableOf(lines: readonly string[]): string {
  const [head = [], ruler = [], ...rest] = lines.map((line) =>
    line
      .replace(/\|$/, '')
      .split('|')
      .map((cell) => inline(cell.trim())),
  );
  if (!ruler.every((cell) => /^:?-+:?$/.test(cell))) throw new Error('cannot read a table');
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

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function inline(text: string): string {
  return escaped(text)
    .replace(/\[([^\]]+)\]\(([^)\s"]+)\)/g, '<a href="$2" rel="noopener">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>');
}
