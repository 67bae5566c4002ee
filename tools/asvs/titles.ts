export type Title = { kind: 'describe' | 'test'; title: string };

const opening = /(?<![.\w])(describe|test|it)((?:\.\w+)*)\s*[(`<]/g;
const literal = /\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/y;

/** The titles of a test file in source order; `%s` and `${…}` stay unexpanded. */
export function titlesIn(text: string): Title[] {
  return [...text.matchAll(opening)].flatMap((match) => {
    const [whole, kind = '', modifiers = ''] = match;
    const end = match.index + whole.length;
    const start = /\.(each|for|runIf|skipIf)$/.test(modifiers) ? startOfSecondCall(text, end) : end;
    literal.lastIndex = start;
    const title = literal.exec(text)?.[2];
    if (title === undefined) return [];
    return [{ kind: kind === 'describe' ? 'describe' : 'test', title: plain(title) }];
  });
}

/** The position after the opening bracket of the second call in `test.each(…)(…)`. */
function startOfSecondCall(text: string, from: number): number {
  const calls = /[)`]\((?=\s*['"`])/g;
  calls.lastIndex = from;
  const call = calls.exec(text);
  return call === null ? text.length : call.index + call[0].length;
}

function plain(literalText: string): string {
  return literalText.replaceAll(/\\(['"`\\])/g, '$1');
}
