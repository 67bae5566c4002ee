import { isStorableText } from '@pointgate/contract/storable-text.ts';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Complaint, Place, Said } from './places.ts';

/**
 * Reads YAML 1.2, which JSON is as well: `no` is a text there and `012` a number. Undefined if the
 * file is not YAML; the complaints then say where.
 */
export function readYaml(
  file: string,
  text: string,
  complaints: Complaint[],
): Said<unknown> | undefined {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { version: '1.2', lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const before = complaints.length;
  const complain = (offset: number, problem: string) =>
    complaints.push({ ...placeOf(offset), field: '', problem });
  for (const { code, message, pos } of [...parsed.errors, ...parsed.warnings]) {
    complain(pos[0], syntaxFault(code, message));
  }
  if (complaints.length > before) return undefined;

  const places = new Map<string, number>();
  const plain = (node: Node | null, path: readonly string[], start: number): unknown => {
    const offset = node?.range?.[0] ?? start;
    if (!places.has(keyOf(path))) places.set(keyOf(path), offset);
    if (node === null) return null;
    if (isAlias(node) || ('anchor' in node && node.anchor !== undefined)) {
      complain(offset, 'is an anchor or alias, which documents do not have: write the value out');
      return null;
    }
    if (isScalar(node)) {
      if (isStorableText(node.value)) return node.value;
      complain(offset, 'holds a character that cannot be stored: remove it');
      return null;
    }
    if (isSeq<Node>(node)) {
      return node.items.map((item, index) => plain(item, [...path, String(index)], offset));
    }
    if (!isMap<Node, Node>(node)) return null;
    const entries = node.items.map(({ key, value }): [string, unknown] => {
      const name = isScalar(key) ? String(key.source ?? key.value) : '';
      const keyOffset = key.range?.[0] ?? offset;
      if (!isScalar(key)) complain(keyOffset, 'is no name of a field: write a word');
      const inner = [...path, name];
      // A field without a value is found by its name.
      places.set(keyOf(inner), value?.range?.[0] ?? keyOffset);
      return [name, plain(value, inner, keyOffset)];
    });
    return Object.fromEntries(entries);
  };
  const value = plain(parsed.contents, [], 0);
  if (complaints.length > before) return undefined;
  return {
    value,
    at: (path = []) => {
      for (let end = path.length; end > 0; end -= 1) {
        const offset = places.get(keyOf(path.slice(0, end)));
        if (offset !== undefined) return placeOf(offset);
      }
      return placeOf(places.get(keyOf([])) ?? 0);
    },
  };
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('\0');
}

function syntaxFault(code: string, message: string): string {
  const [sentence = ''] = message.split(/\n|: (?=[A-Z])/);
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'is there twice: keep one of the two';
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent YAML: write spaces';
    case 'MULTIPLE_DOCS':
      return 'is a second document in one file: write a file for each';
    case 'TAG_RESOLVE_FAILED':
      return 'is a tag, which documents do not have: write the value alone';
    default:
      return `is no YAML (${sentence}): write each field as "name: value", and texts with signs in quotation marks`;
  }
}
