/** A Markdown document: the fields between its first two lines `---`, and the text after them. */
export interface Article {
  fields: Record<string, unknown>;
  /** The line of each field, from 1. */
  lines: Record<string, number>;
  text: string;
  /** The line at which the text begins. */
  textLine: number;
}

/** A text of which a line cannot be read. */
export class UnreadableText extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Fields are lines such as `title: "Text"`, the value as in JSON. Throws if they are not. */
export function readArticle(written: string): Article {
  const source = written.replaceAll('\r\n', '\n');
  const [whole, head] = /^---\n([\s\S]*?\n)---\n/.exec(source) ?? [];
  if (whole === undefined || head === undefined) {
    const problem = 'does not begin with fields: write ---, title: "…" and --- on the first lines';
    throw new UnreadableText(problem, 1);
  }
  const fields = head
    .trimEnd()
    .split('\n')
    .map((line, index) => readField(line, index + 2));
  return {
    fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    lines: Object.fromEntries(fields.map(({ name, line }) => [name, line])),
    text: source.slice(whole.length),
    textLine: whole.split('\n').length,
  };
}

function readField(text: string, line: number): { name: string; value: unknown; line: number } {
  const [, name, quoted] = /^(\w+): (".*")$/.exec(text) ?? [];
  const complain = (): never => {
    throw new UnreadableText(`${text} is no field: write title: "…", in quotation marks`, line);
  };
  if (name === undefined || quoted === undefined) return complain();
  try {
    return { name, value: JSON.parse(quoted), line };
  } catch {
    return complain();
  }
}

/**
 * The part of Markdown that texts of a shop need: headings, lists, tables, pictures, notes and
 * warnings, `**strong**`, `*emphasis*` and links. HTML is shown as it is written. Throws on a block
 * that it does not know.
 */
export function htmlOf(text: string, firstLine = 1): string {
  const blocks = [...text.matchAll(/(?:[^\n]+\n?)+/g)];
  return blocks
    .filter(([block]) => block.trim() !== '')
    .map(({ 0: block, index }) => {
      const line = firstLine + text.slice(0, index).split('\n').length - 1;
      return htmlOfBlock(block.trim().split('\n'), line);
    })
    .join('');
}

/** A paragraph of inline Markdown. */
export function paragraphOf(text: string, kind?: 'lead' | 'note' | 'warning'): string {
  return `<p${kind === undefined ? '' : ` class="${kind}"`}>${inline(text)}</p>`;
}

function htmlOfBlock(lines: readonly string[], line: number): string {
  const [first = '', ...rest] = lines;
  const [, heading] = /^## (.+)$/.exec(first) ?? [];
  if (heading !== undefined && rest.length === 0) return `<h2>${inline(heading)}</h2>`;
  const [, caption, source] = /^!\[(.*)\]\(([^)\s"]+)\)$/.exec(first) ?? [];
  if (caption !== undefined && source !== undefined && rest.length === 0) {
    return pictureOf(source, caption);
  }
  const [, kind] = /^> \[!(NOTE|WARNING)\]$/.exec(first) ?? [];
  if (kind !== undefined) {
    const words = contentOf(rest, /^> /, line + 1).join(' ');
    return paragraphOf(words, kind === 'NOTE' ? 'note' : 'warning');
  }
  if (first.startsWith('- ')) return `<ul>${itemsOf(contentOf(lines, /^- /, line))}</ul>`;
  if (/^\d+\. /.test(first)) return `<ol>${itemsOf(contentOf(lines, /^\d+\. /, line))}</ol>`;
  if (first.startsWith('|')) return tableOf(contentOf(lines, /^\|/, line), line);
  if (/^(#|>|```|!\[)/.test(first)) {
    const problem = `cannot show the block ${first}: write a heading with ##, a list, a table or a text`;
    throw new UnreadableText(problem, line);
  }
  return paragraphOf(lines.join(' '));
}

/** The lines of a block without the mark with which each of them begins. */
function contentOf(lines: readonly string[], mark: RegExp, first: number): string[] {
  return lines.map((line, index) => {
    if (mark.test(line)) return line.replace(mark, '').trim();
    const problem = `cannot continue a block with ${line}: write an empty line before it`;
    throw new UnreadableText(problem, first + index);
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
function tableOf(lines: readonly string[], first: number): string {
  const [head = [], ruler = [], ...rest] = lines.map((line) =>
    line
      .replace(/\|$/, '')
      .split('|')
      .map((cell) => inline(cell.trim())),
  );
  if (ruler.length === 0 || !ruler.every((cell) => /^:?-+:?$/.test(cell))) {
    const problem = 'cannot read a table: write | --- | below the names of its columns';
    throw new UnreadableText(problem, first);
  }
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
