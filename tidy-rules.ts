import { posix } from 'node:path';
import { allPages } from './contract/src/pages.ts';

/** A file of the repository, with its path from the root. */
export interface Source {
  path: string;
  text: string;
}

/** The violations in a file, one line each. */
export type Rule = (file: Source) => string[];

interface Import {
  /** The path of an imported file of ours, else the package name. */
  target: string;
  /** The text between `import` and `from`. */
  names: string;
}

/** Matches comments and string literals. */
const notCode =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

function codeOf({ text }: Source): string {
  return text.replace(notCode, (found) => (found.startsWith('/') ? '' : `''`));
}

export function importsOf({ path, text }: Source): Import[] {
  const imported = text.matchAll(/^import\b([^'";(]*?)'([^']+)'/gm);
  const passedOn = text.matchAll(/^export\s+((?:type\s+)?[{*][^'";]*?\sfrom\s+)'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\(\s*()'([^']+)'/g);
  return [...imported, ...passedOn, ...dynamic].map(([, names = '', specifier = '']) => ({
    names,
    target: targetOf(path, specifier),
  }));
}

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  const [, workspace, rest] = /^@pointgate\/(\w+)\/(.*)$/.exec(specifier) ?? [];
  return workspace === undefined ? specifier : `${workspace}/src/${rest}`;
}

const isTest = (path: string) => /\.test\.tsx?$|(^|\/)test\//.test(path);
const isServerSource = (path: string) => path.startsWith('server/src/') && !isTest(path);
const workspaces = [
  'contract',
  'server',
  'auditor',
  'portal',
  'console',
  'ui',
  'sandbox',
  'e2e',
  'drills',
  'tools',
  'demo',
];

const workspaceOf = (path: string) => {
  const [first = ''] = path.split('/');
  return workspaces.includes(first) ? first : undefined;
};

// Allowed imports of each workspace, besides itself.
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  // The auditor shares no code with the shop, so that it is independent.
  auditor: [],
  sandbox: [],
  server: ['contract'],
  ui: ['contract'],
  portal: ['contract', 'ui'],
  console: ['contract', 'ui'],
  e2e: ['contract', 'tools'],
  drills: ['contract', 'auditor', 'tools'],
  tools: ['contract', 'auditor'],
  // What the publisher of the demo says, and nothing of how a shop works.
  demo: [],
};

// Additional imports for tests: they start services and programs, and tools are tested on a shop.
const testsMayImport: Record<string, string> = {
  server: 'tools/',
  tools: 'server/test/',
  auditor: 'server/test/',
};

export const workspacesKeepApart: Rule = (file) => {
  const own = workspaceOf(file.path);
  if (own === undefined) return [];
  const allowed = [own, ...(mayImport[own] ?? [])];
  const alsoInTests = testsMayImport[own];
  const isForTests = (target: string) =>
    alsoInTests !== undefined && isTest(file.path) && target.startsWith(alsoInTests);
  return importsOf(file)
    .filter(({ target }) => !allowed.includes(workspaceOf(target) ?? own) && !isForTests(target))
    .map(({ target }) => `${file.path} imports ${target}`);
};

export const contractNeedsZodOnly: Rule = (file) =>
  file.path.startsWith('contract/src/') && !isTest(file.path)
    ? importsOf(file)
        .filter(({ target }) => !/^zod(\/mini)?$|^contract\/src\//.test(target))
        .map(({ target }) => `${file.path} imports ${target}`)
    : [];

export const documentsStayOutOfTheBrowser: Rule = (file) => {
  if (!/^(portal|console|ui)\/|^contract\/src\/[^/]+$/.test(file.path)) return [];
  const isDocument = ({ target }: Import) => target.startsWith('contract/src/documents/');
  const loaded = importsOf(file).filter(isDocument);
  return loaded.map(({ target }) => `${file.path} imports ${target}`);
};

/**
 * The rooms of the server, and in each the features on their floors, from the ground up. A feature imports
 * from floors below its own, in its own room or in a room before it. The feature '' is the files of the room
 * itself, and '*' is every other folder of the room.
 */
const rooms: readonly (readonly [room: string, ...floors: (readonly string[])[]])[] = [
  ['platform', ['']],
  ['publisher', ['sites', 'games', 'secrets']],
  ['analytics', ['']],
  [
    'people',
    ['accounts', 'real-names', 'messages'],
    ['arrivals', 'identity', 'passkeys', 'player-imports', 'privacy'],
    ['notices'],
  ],
  [
    'money',
    ['ledger', 'cases', 'psp', 'archive', 'accounting'],
    ['points', 'routing'],
    ['orders'],
    ['payments'],
    ['refunds', 'reconciliation'],
  ],
  ['offers', ['conditions'], ['*']],
  ['catalogue', ['', 'bulletins']],
  ['delivery', ['', 'characters']],
  ['checkout', [''], ['redeem', 'support']],
  ['documents', ['']],
  ['wiring', ['']],
  ['operators', ['audits'], ['']],
  // Where programs begin.
  ['', ['']],
];

const floors = rooms.flatMap(([room, ...ofRoom]) =>
  ofRoom.map((features) =>
    features.map((feature) => [room, feature].filter((part) => part !== '').join('/')),
  ),
);
const features = floors.flat();

/** Where a file of the server is: `money/orders/orders.ts`, and its feature `money/orders`. */
function placeOf(path: string): { feature: string; name: string } | undefined {
  const [, name] = /^server\/src\/(.*)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const parts = name.split('/').slice(0, -1);
  const [room = '', inRoom = ''] = parts;
  const feature = parts.length > 1 ? `${room}/${inRoom}` : room;
  // A folder inside a room that has files of its own may belong to them.
  return { name, feature: features.includes(feature) || !features.includes(room) ? feature : room };
}

function serverImports(file: Source) {
  const from = placeOf(file.path);
  if (from === undefined || !isServerSource(file.path)) return [];
  return importsOf(file).flatMap(({ target }) => {
    const to = placeOf(target);
    return to === undefined || to.feature === from.feature ? [] : [{ from, to }];
  });
}

export const serverIsBuiltInFloors: Rule = (file) => {
  const floorOf = (feature: string) =>
    floors.findIndex(
      (floor) => floor.includes(feature) || floor.includes(feature.replace(/\/.*/, '/*')),
    );
  const own = placeOf(file.path);
  if (own !== undefined && floorOf(own.feature) < 0) return [`${own.feature} has no floor`];
  return serverImports(file)
    .filter(({ from, to }) => floorOf(to.feature) >= floorOf(from.feature))
    .map(({ from, to }) => `${from.name} imports ${to.name}, which is not below it`);
};

/** The layers of the portal, from the ground up. */
const portalLayers = ['shared', 'entities', 'features', 'app'];

/** `features/orders/order-page.tsx` is in the layer `features` and the slice `features/orders`. */
function portalPlaceOf(path: string): { layer: number; slice: string } | undefined {
  const [, name] = /^portal\/src\/(.*)$/.exec(path) ?? [];
  if (name === undefined || name === 'main.tsx') return undefined;
  const [layer = '', slice = ''] = name.split('/');
  return { layer: portalLayers.indexOf(layer), slice: `${layer}/${slice}` };
}

export const portalIsBuiltInLayers: Rule = (file) => {
  const own = portalPlaceOf(file.path);
  if (own === undefined || isTest(file.path)) return [];
  if (own.layer < 0) return [`${file.path} is in no layer`];
  const isFeature = portalLayers[own.layer] === 'features';
  return importsOf(file)
    .filter(({ target }) => {
      const to = portalPlaceOf(target);
      if (to === undefined) return target.endsWith('portal/src/main.tsx');
      return (
        to.layer > own.layer || (isFeature && to.layer === own.layer && to.slice !== own.slice)
      );
    })
    .map(({ target }) => `${file.path} imports ${target}, which is not below it`);
};

// Files of a feature, other than its main file, that other features may import.
const sharedFiles = [
  'people/accounts/addresses.ts',
  'people/accounts/foreign-hashes.ts',
  'people/accounts/identity-keys.ts',
  'people/accounts/passwords.ts',
  'people/identity/providers.ts',
  'catalogue/game-list.ts',
  'catalogue/offers.ts',
  'catalogue/price-list.ts',
  'catalogue/prices.ts',
  'people/accounts/account-states.ts',
  'people/accounts/game-accounts.ts',
  'offers/coupons/coupon-templates.ts',
  'publisher/games/game-signature.ts',
  'money/orders/order-effects.ts',
  'money/orders/order-fact.ts',
  'money/orders/order-of-operator.ts',
  'money/orders/order-view.ts',
  'people/passkeys/gates.ts',
  'people/passkeys/reviews.ts',
  'people/real-names/spending.ts',
  'people/real-names/policies/policies.ts',
  'money/points/given.ts',
  'offers/promotions/promotion-list.ts',
  'money/psp/methods.ts',
  'checkout/redeem/batch-rules.ts',
  'checkout/redeem/code-text.ts',
  'money/routing/contracts.ts',
  'money/routing/offered.ts',
  'money/routing/price-complaints.ts',
  'money/routing/provider-health.ts',
];

// Files that app.ts wires together besides routes; work.ts runs the jobs.
const wiredFiles = [
  'catalogue/server-status.ts',
  'people/accounts/credentials.ts',
  'people/accounts/sealed-body.ts',
  'people/arrivals/game-token.ts',
  'people/notices/notice-token.ts',
  'people/real-names/masks.ts',
  'offers/promotions/kept-gift-rules.ts',
];

export const featuresAreEnteredByTheirDoor: Rule = (file) =>
  serverImports(file)
    .filter(({ from, to }) => {
      if (['platform', 'wiring', ''].includes(to.feature)) return false;
      const isDoor = to.name === `${to.feature}/${posix.basename(to.feature)}.ts`;
      if (isDoor || sharedFiles.includes(to.name)) return false;
      if (from.name === 'wiring/app.ts' || from.name === 'wiring/work.ts') {
        return !/\.(routes|jobs)\.ts$/.test(to.name) && !wiredFiles.includes(to.name);
      }
      if (from.name === 'wiring/merchant-accounts.ts') return to.name !== 'money/psp/providers.ts';
      if (from.name === 'wiring/job-kinds.ts') return !to.name.endsWith('.jobs.ts');
      if (from.name === 'operate.ts') return to.feature !== 'operators';
      return !(from.name === 'seed.ts' && to.feature === 'documents');
    })
    .map(({ from, to }) => `${from.name} imports ${to.name}, past the door`);

/** A literal spread into another is not checked for surplus properties. */
export const literalsAreNotSpread: Rule = ({ path, text }) =>
  /(?<!\{)\.\.\.\{/.test(text) ? [`${path} spreads an object literal`] : [];

const outsidersNeed = ['outbound', 'log', 'decimal-amount', 'csv'].map((it) => `platform/${it}.ts`);

export const adaptersKnowOnlyTheWayOut: Rule = (file) =>
  serverImports(file)
    .filter(({ from }) => from.feature === 'money/psp' || from.feature === 'publisher/games')
    .filter(({ to }) => !outsidersNeed.includes(to.name))
    .map(({ from, to }) => `${from.name} imports ${to.name}`);

const pageRoots = new Set(allPages.map(({ path }) => /^\/\w*/.exec(path)?.[0] ?? path));
const pagePath = new RegExp(`['"\`}](${[...pageRoots].join('|')})(?=['"\`/?#$])`, 'g');

export const pagePathsAreWrittenOnce: Rule = (file) => {
  if (!/^(server|portal|tools)\//.test(file.path) || isTest(file.path)) return [];
  const text = file.text.replace(notCode, (found) => (/^\/[/*]/.test(found) ? '' : found));
  return [...text.matchAll(pagePath)].map(([, path]) => `${file.path} writes the path ${path}`);
};

/** A rule that only these files of the server import the package. */
function onlyIn(isPackage: RegExp, isHome: RegExp): Rule {
  return (file) =>
    isServerSource(file.path) && !isHome.test(file.path)
      ? importsOf(file)
          .filter(({ target }) => isPackage.test(target))
          .map(({ target }) => `${file.path} imports ${target}`)
      : [];
}

export const onlyTheDbKnowsPg = onlyIn(
  /^pg(-pool|-copy-streams)?$/,
  /\/platform\/(db|connections)\.ts$/,
);
export const onlyJobsKnowTheEngine = onlyIn(/^pg-boss$/, /\/platform\/jobs\.ts$/);
export const onlyRoutesKnowFastify = onlyIn(
  /^(@fastify\/|fastify$)/,
  /\.routes\.ts$|\/src\/(wiring\/app|wiring\/portal-files|platform\/http)\.ts$/,
);
/** Imports from node:net that open no connection. */
const readsAddresses = /^\s*\{\s*(?:(?:BlockList|isIP)\b[\s,]*)+\}/;

export const onlyOutboundKnowsTheNetwork: Rule = (file) => {
  if (!isServerSource(file.path) || file.path.endsWith('/platform/outbound.ts')) return [];
  const calls = /(?<![.\w]|typeof )fetch\b(?=\s*[(,;)])|\bXMLHttpRequest\b/.test(codeOf(file));
  const imports = importsOf(file)
    .filter(({ names }) => !names.trimStart().startsWith('type '))
    .filter(({ names }) => !readsAddresses.test(names))
    .filter(({ target }) => /^(undici|axios|node:(https?|http2|net|tls|dgram))$/.test(target))
    .map(({ target }) => `${file.path} imports ${target}`);
  return calls ? [`${file.path} calls fetch`, ...imports] : imports;
};

export const sqlStaysInQueries: Rule = (file) => {
  if (!isServerSource(file.path)) return [];
  if (/\/platform\/|\.queries\.ts$/.test(file.path)) return [];
  return importsOf(file)
    .filter(({ target, names }) => target.endsWith('/platform/db.ts') && /\bsql\b/i.test(names))
    .map(() => `${file.path} imports sql`);
};

export const environmentIsReadOnce: Rule = (file) => {
  const isJudged = /^(server\/src|contract|portal|console|ui)\//.test(file.path);
  if (!isJudged || isTest(file.path) || /\/config\.ts$|\.config\.ts$/.test(file.path)) return [];
  return /\bprocess\.env\b/.test(codeOf(file)) ? [`${file.path} reads process.env`] : [];
};

export const nothingIsExportedByDefault: Rule = (file) =>
  !file.path.endsWith('.config.ts') && /^export default\b|\bas default\b/m.test(codeOf(file))
    ? [`${file.path} has a default export`]
    : [];

export const nothingIsExportedTwice: Rule = (file) =>
  /^export\s+(type\s+)?[{*]/m.test(codeOf(file)) ? [`${file.path} exports a list or all`] : [];

export const namesAreKebabCase: Rule = ({ path }) => {
  const name = /^[a-z\d]+(-[a-z\d]+)*(\.[a-z\d]+)*\.(ts|tsx|sql)$/;
  const folder = /^\.?[a-z\d]+(-[a-z\d]+)*$/;
  const parts = path.split('/');
  const file = (parts.pop() ?? '').replace(
    /^\d{4}_([a-z\d_]+)(?:\.(?:online|batch))?\.sql$/,
    (_, words) => `${words.replaceAll('_', '-')}.sql`,
  );
  return name.test(file) && parts.every((part) => folder.test(part)) ? [] : [path];
};

const linesMax = 400;

export const filesHoldOneIdea: Rule = ({ path, text }) => {
  // Wiring opens each part once, one line for each.
  if (isTest(path) || /\/(locales|wiring)\//.test(path)) return [];
  const lines = text.trimEnd().split('\n').length;
  return lines > linesMax ? [`${path} has ${lines} lines`] : [];
};

// The worlds of payment providers stand beside the adapters that they test.
const ownBuilders = 'server/src/money/psp/test/';

export const buildersAreInOnePlace: Rule = ({ path }) =>
  /^server\/src\/.*\/test\//.test(path) && !path.startsWith(ownBuilders)
    ? [`${path} belongs in server/test`]
    : [];

export const noTestIsLeftOut: Rule = (file) => {
  const leftOut =
    /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|fixme)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(/;
  return leftOut.test(codeOf(file)) ? [`${file.path} leaves a test out`] : [];
};

// Older migrations set their own lock timeout.
const sayItThemselves = /\/00(?:[012]\d|3[0-4])_/;

export const migrationsLeaveLocksToTheRunner: Rule = ({ path, text }) => {
  if (!path.startsWith('server/migrations/') || sayItThemselves.test(path)) return [];
  return /\block_timeout\b/.test(text) ? [`${path} sets a lock_timeout`] : [];
};

/** Consecutive numbers without duplicates, so that two branches cannot both add the next one. */
export function migrationsOutOfOrder(paths: readonly string[]): string[] {
  return paths
    .toSorted()
    .filter((path, index) => !posix.basename(path).startsWith(`${index + 1}_`.padStart(5, '0')));
}
