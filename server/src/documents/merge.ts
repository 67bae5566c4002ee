import { isObject, isSame, type Json, type JsonObject } from './canonical.ts';

/** A field that a folder and the shop have both changed, to different values. Undefined is absent. */
interface Conflict {
  path: readonly string[];
  /** What the folder said last. */
  base: Json | undefined;
  folder: Json | undefined;
  shop: Json | undefined;
}

interface Merged {
  /** Undefined if there is no such document any more. */
  body: Json | undefined;
  conflicts: Conflict[];
  /** The fields that only the shop has changed. */
  incoming: (readonly string[])[];
}

/** Nobody knows what the folder said before, so that each difference is a conflict. */
const neverSaid = Symbol('never said');
type Base = Json | undefined | typeof neverSaid;

/**
 * Merges a document of a folder with that of the shop, over what the folder said last: per field, an
 * array being one value. A field that only one of the two has changed is theirs. A conflict is decided
 * by `take`; without it the shop keeps its value, and the caller must not publish.
 */
export function mergeDocument(
  { base, folder, shop }: Record<'base' | 'folder' | 'shop', Json | undefined>,
  take: 'folder' | 'shop' = 'shop',
): Merged {
  const conflicts: Conflict[] = [];
  const incoming: (readonly string[])[] = [];
  const decide = (
    was: Base,
    ours: Json | undefined,
    theirs: Json | undefined,
    path: readonly string[],
  ): Json | undefined => {
    if (isSame(ours, theirs)) return theirs;
    if (was !== neverSaid && isSame(ours, was)) {
      incoming.push(path);
      return theirs;
    }
    if (was !== neverSaid && isSame(theirs, was)) return ours;
    if (isObject(ours) && isObject(theirs)) {
      return fieldsOf(ours, theirs, (name) =>
        decide(innerOf(was, name), fieldOf(ours, name), fieldOf(theirs, name), [...path, name]),
      );
    }
    conflicts.push({ path, base: was === neverSaid ? undefined : was, folder: ours, shop: theirs });
    return take === 'folder' ? ours : theirs;
  };
  const isFirst = base === undefined && folder !== undefined && shop !== undefined;
  return { body: decide(isFirst ? neverSaid : base, folder, shop, []), conflicts, incoming };
}

function innerOf(was: Base, name: string): Base {
  if (was === neverSaid) return neverSaid;
  // A field whose surroundings were something else was not there.
  return isObject(was) ? fieldOf(was, name) : undefined;
}

function fieldOf(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function fieldsOf(
  ours: JsonObject,
  theirs: JsonObject,
  decide: (name: string) => Json | undefined,
): JsonObject {
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  const fields = [...names].flatMap((name): [string, Json][] => {
    const value = decide(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields);
}
