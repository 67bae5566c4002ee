/** A piece of HTML in which everything that came from outside has been escaped. */
export type Html = { readonly markup: string };

type Piece = Html | string | number | null | undefined | false | readonly Piece[];

/** A template tag: what is written in the template is HTML, what is put into it is text. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  const markup = parts.reduce((before, part, index) => before + render(pieces[index - 1]) + part);
  return { markup };
}

/** Unescaped: only for the style sheets of this workspace, never for external input. */
export function trusted(markup: string): Html {
  return { markup };
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (typeof piece === 'string') return escaped(piece);
  if (typeof piece === 'number') return String(piece);
  return 'markup' in piece ? piece.markup : piece.map(render).join('');
}

function escaped(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
