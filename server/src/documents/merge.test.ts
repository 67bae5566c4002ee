import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, isSame, type Json, type JsonObject } from './canonical.ts';
import { mergeDocument } from './merge.ts';

// Few names and values, so that two sources often change the same field.
const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json>(1, 2, 'a', null, true, ['x'], ['x', 'y']);
const { body } = fc.letrec<{ body: JsonObject; value: Json }>((tie) => ({
  body: fc.dictionary(fc.constantFrom('p', 'q', 'r', '__proto__'), tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('body')),
}));
const document = fc.option(body, { nil: undefined, freq: 6 });
const three = fc.record({ base: document, folder: document, shop: document });

type Path = readonly string[];

/** The paths of all values, with `undefined` for a path that leads nowhere. */
function at(value: Json | undefined, path: Path): Json | undefined {
  let inner = value;
  for (const name of path) {
    inner = isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }
  return inner;
}

function pathsOf(value: Json | undefined, path: Path = []): Path[] {
  const inner = isObject(value) ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, part]) => pathsOf(part, [...path, name]))];
}

const isWithin = (path: Path, outer: Path) => outer.every((name, index) => path[index] === name);

describe('merging a document of a folder with that of the shop', () => {
  test('a source that has changed nothing keeps nothing from the other', () => {
    fc.assert(
      fc.property(body, document, (base, other) => {
        expect(mergeDocument({ base, folder: base, shop: other })).toMatchObject({
          body: other,
          conflicts: [],
        });
        expect(mergeDocument({ base, folder: other, shop: base })).toEqual({
          body: other,
          conflicts: [],
          incoming: [],
        });
      }),
    );
  });

  test('a change that both sources made alike is no conflict', () => {
    fc.assert(
      fc.property(document, document, (base, same) => {
        expect(mergeDocument({ base, folder: same, shop: same })).toEqual({
          body: same,
          conflicts: [],
          incoming: [],
        });
      }),
    );
  });

  test('no change of either source is lost or overwritten unasked, except where a conflict is told', () => {
    fc.assert(
      fc.property(three, ({ base, folder, shop }) => {
        const merged = mergeDocument({ base, folder, shop });
        const isTold = (path: Path) =>
          merged.conflicts.some(({ path: told }) => isWithin(path, told) || isWithin(told, path));
        for (const path of [base, folder, shop].flatMap((value) => pathsOf(value))) {
          const [was, ours, theirs] = [base, folder, shop].map((value) => at(value, path));
          const now = at(merged.body, path);
          if (isTold(path)) continue;
          if (isSame(ours, was)) expect(isSame(now, theirs), path.join()).toBe(true);
          if (isSame(theirs, was)) expect(isSame(now, ours), path.join()).toBe(true);
        }
      }),
    );
  });

  test('a field that both sources have changed otherwise is a conflict, which keeps the value of the shop', () => {
    fc.assert(
      fc.property(three, ({ base, folder, shop }) => {
        const { body: kept, conflicts } = mergeDocument({ base, folder, shop });
        const taken = mergeDocument({ base, folder, shop }, 'folder');
        expect(taken.conflicts).toEqual(conflicts);
        for (const { path, folder: ours, shop: theirs } of conflicts) {
          expect(isSame(ours, theirs)).toBe(false);
          expect([at(folder, path), at(shop, path)]).toEqual([ours, theirs]);
          expect(isSame(at(kept, path), theirs)).toBe(true);
          expect(isSame(at(taken.body, path), ours)).toBe(true);
        }
      }),
    );
  });

  test('the order of the two sources does not matter', () => {
    fc.assert(
      fc.property(three, ({ base, folder, shop }) => {
        const one = mergeDocument({ base, folder, shop }, 'folder');
        const other = mergeDocument({ base, folder: shop, shop: folder }, 'shop');
        expect(isSame(one.body, other.body)).toBe(true);
      }),
    );
  });

  test('two changes of one document in different fields are both in it', () => {
    const base = { title: 'A', theme: { accent: 'red', hero: 'x' } };
    expect(
      mergeDocument({
        base,
        folder: { ...base, theme: { accent: 'blue', hero: 'x' } },
        shop: { title: 'B', theme: { accent: 'red' } },
      }),
    ).toEqual({
      body: { title: 'B', theme: { accent: 'blue' } },
      conflicts: [],
      incoming: [['title'], ['theme', 'hero']],
    });
  });

  test('a removal in the shop conflicts with a change in the folder', () => {
    const { conflicts } = mergeDocument({ base: { a: 1 }, folder: { a: 2 }, shop: undefined });
    expect(conflicts).toEqual([{ path: [], base: { a: 1 }, folder: { a: 2 }, shop: undefined }]);
  });

  test('a folder that publishes for the first time adopts what is equal and overwrites nothing', () => {
    expect(
      mergeDocument({ base: undefined, folder: { a: 1, b: 2, c: 3 }, shop: { a: 1, b: 3 } }),
    ).toEqual({
      body: { a: 1, b: 3 },
      conflicts: [
        { path: ['b'], base: undefined, folder: 2, shop: 3 },
        { path: ['c'], base: undefined, folder: 3, shop: undefined },
      ],
      incoming: [],
    });
  });
});
