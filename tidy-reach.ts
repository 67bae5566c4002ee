import { importsOf, type Source } from './tidy-rules.ts';

/** A top-level declaration, a test, or the handler of a route. */
interface Piece {
  path: string;
  name: string;
  text: string;
  /** The endpoint of a route handler. */
  endpoint: string | undefined;
}

/**
 * Exported queries that no `*.db.test.ts` reaches. A test reaches the declarations that it names,
 * those that they name, and so on; a route is reached if a test contains its address, because
 * opening the app names all routes, and an operator action if one contains its name. Branches are not considered, but queries without any test are
 * found.
 */
export function queriesOutOfReach(files: readonly Source[]): string[] {
  const known = files.filter(({ path }) => /^(server|contract)\/.*\.ts$/.test(path));
  const pieces = known.flatMap(piecesOf);
  const targetsOf = new Map(
    known.map((file) => [file.path, importsOf(file).map(({ target }) => target)]),
  );
  const isSaid = saidIn(known, pieces);
  const isTyped = typedIn(known);

  const reached = new Set<Piece>();
  const reach = (piece: Piece) => {
    if (reached.has(piece)) return;
    reached.add(piece);
    const words = new Set(piece.text.match(/\w+/g));
    const near = [piece.path, ...(targetsOf.get(piece.path) ?? [])];
    for (const other of pieces) {
      const isNext =
        other.endpoint === undefined
          ? words.has(other.name) && near.includes(other.path)
          : other.path === piece.path && isSaid(other.endpoint);
      if (isNext) reach(other);
    }
  };
  for (const piece of pieces) {
    if (piece.path.endsWith('.db.test.ts') || isTyped(piece)) reach(piece);
  }

  const isQuery = ({ path, text }: Piece) =>
    path.endsWith('.queries.ts') &&
    /^export ((async )?function|const \w+ = (async )?[(<])/.test(text);
  return pieces
    .filter((piece) => isQuery(piece) && !reached.has(piece))
    .map(({ path, name }) => `${path.replace('server/src/', '')} ${name}`);
}

/** Operator actions are found by their file names, and run by tests that type their names. */
function typedIn(files: readonly Source[]) {
  const spoken = textOfTests(files);
  return ({ path, text }: Piece) => {
    const [, command] = (path.endsWith('.action.ts') && /\bname: '([^']+)'/.exec(text)) || [];
    return command !== undefined && spoken.includes(`'${command}'`);
  };
}

const textOfTests = (files: readonly Source[]) =>
  files
    .filter(({ path }) => /^server\/(.*\.db\.test\.ts|test\/.*)$/.test(path))
    .map(({ text }) => text)
    .join('\n');

/**
 * Addresses in tests: in full, as `endpoint.path`, or as the end of a path after a common prefix.
 */
function saidIn(files: readonly Source[], pieces: readonly Piece[]) {
  const spoken = textOfTests(files);
  return (endpoint: string) => {
    const said = pieces.find(({ path, name }) => path.startsWith('contract/') && name === endpoint);
    const [, address] = /\bpath: '([^']+)'/.exec(said?.text ?? '') ?? [];
    if (address === undefined) return false;
    const end = address.split('/').slice(-2).join('/');
    return [address, `${endpoint}.path`, `'${end}'`].some((text) => spoken.includes(text));
  };
}

const starts =
  /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)|^ *(?:public|player)Route\(app, (\w+)|^(?:test|describe|before\w+)\b/gm;

function piecesOf({ path, text }: Source): Piece[] {
  const found = [...text.matchAll(starts)];
  return found.map((start, index) => {
    const [, name = '', route] = start;
    const [, original = route] = new RegExp(`(\\w+) as ${route}\\b`).exec(text) ?? [];
    return {
      path,
      name,
      endpoint: original,
      text: text.slice(start.index, found[index + 1]?.index),
    };
  });
}

/** Tests named `*.db.test.ts` that import no database helper, directly or indirectly. */
export function databaseTestsWithoutDatabase(files: readonly Source[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const opensDatabase = (path: string, seen: Set<string>): boolean => {
    if (/^(server\/test\/database|tools\/stack\/given-database)\.ts$/.test(path)) return true;
    const file = byPath.get(path);
    if (file === undefined || seen.has(path) || !/\/test\/|\.test\.ts$/.test(path)) return false;
    seen.add(path);
    return importsOf(file).some(({ target }) => opensDatabase(target, seen));
  };
  return files
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.db.test.ts') && !opensDatabase(path, new Set()));
}
