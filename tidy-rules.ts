import { posix } from 'node:path';

/** A file of the repository; the path counts from its root. */
export interface Source {
  path: string;
  text: string;
}

/** What is wrong with a file, one line each. */
export type Rule = (file: Source) => string[];

interface Import {
  /** The file, where it is ours, else the package. */
  target: string;
  /** Everything between `import` and `from`. */
  names: string;
}

/** Comments are no code, and neither is text. */
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
];

const workspaceOf = (path: string) => {
  const [first = ''] = path.split('/');
  return workspaces.includes(first) ? first : undefined;
};

// Besides themselves.
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  // Who audits the shop is told nothing by its code.
  auditor: [],
  sandbox: [],
  server: ['contract'],
  ui: ['contract'],
  portal: ['contract', 'ui'],
  console: ['contract', 'ui'],
  e2e: ['contract', 'tools'],
  drills: ['contract', 'auditor', 'tools'],
  tools: ['contract', 'auditor'],
};

// Tests start services and programs as the tools do, and tools are tried on a shop of the server's.
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

// A folder of the server imports from floors below its own; what is in no folder is on top.
const floors = [
  ['platform'],
  [
    'ledger',
    'accounts',
    'people',
    'sites',
    'psp',
    'games',
    'cases',
    'messages',
    'analytics',
    'archive',
  ],
  [
    'points',
    'arrivals',
    'audits',
    'identity',
    'passkeys',
    'privacy',
    'quotas',
    'coupons',
    'routing',
  ],
  ['catalogue', 'orders', 'bulletins', 'notices'],
  ['payments', 'delivery', 'characters', 'support', 'promotions'],
  ['checkout', 'refunds', 'reconciliation', 'accounting'],
  ['redeem'],
  ['seed'],
  [''],
];

/** `orders/orders.ts` and its folder, of a file of the server. */
function placeOf(path: string): { folder: string; name: string } | undefined {
  const [, name] = /^server\/src\/(.*)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { name, folder: name.includes('/') ? name.slice(0, name.indexOf('/')) : '' };
}

function serverImports(file: Source) {
  const from = placeOf(file.path);
  if (from === undefined || !isServerSource(file.path)) return [];
  return importsOf(file).flatMap(({ target }) => {
    const to = placeOf(target);
    return to === undefined || to.folder === from.folder ? [] : [{ from, to }];
  });
}

export const serverIsBuiltInFloors: Rule = (file) => {
  const floorOf = (folder: string) => floors.findIndex((floor) => floor.includes(folder));
  const own = placeOf(file.path);
  if (own !== undefined && floorOf(own.folder) < 0) return [`${own.folder} has no floor`];
  return serverImports(file)
    .filter(({ from, to }) => floorOf(to.folder) >= floorOf(from.folder))
    .map(({ from, to }) => `${from.name} imports ${to.name}, which is not below it`);
};

// Pure rules, and second doors, that a feature shares on purpose.
const sharedFiles = [
  'accounts/addresses.ts',
  'accounts/identity-keys.ts',
  'accounts/passwords.ts',
  'catalogue/game-list.ts',
  'catalogue/offers.ts',
  'catalogue/price-list.ts',
  'accounts/account-states.ts',
  'coupons/coupon-templates.ts',
  'games/game-signature.ts',
  'orders/order-effects.ts',
  'orders/order-fact.ts',
  'orders/order-view.ts',
  'passkeys/gates.ts',
  'passkeys/reviews.ts',
  'people/policies/policies.ts',
  'points/given.ts',
  'promotions/promotion-list.ts',
  'psp/decimal-amount.ts',
  'psp/methods.ts',
  'redeem/batch-rules.ts',
  'redeem/code-text.ts',
  'routing/contracts.ts',
  'routing/offered.ts',
  'routing/price-complaints.ts',
  'routing/provider-health.ts',
];

// What app.ts wires together besides routes; work.ts runs the jobs.
const wiredFiles = [
  'accounts/credentials.ts',
  'accounts/sealed-body.ts',
  'arrivals/game-token.ts',
  'notices/notice-token.ts',
  'people/masks.ts',
  'people/spending.ts',
  'promotions/kept-gift-rules.ts',
  'psp/providers.ts',
  'refunds/give-back.ts',
];

export const featuresAreEnteredByTheirDoor: Rule = (file) =>
  serverImports(file)
    .filter(({ from, to }) => {
      if (to.folder === 'platform' || to.folder === '') return false;
      const isDoor = to.name === `${to.folder}/${to.folder}.ts`;
      if (isDoor || sharedFiles.includes(to.name)) return false;
      if (from.name === 'app.ts' || from.name === 'work.ts') {
        return !/\.(routes|jobs)\.ts$/.test(to.name) && !wiredFiles.includes(to.name);
      }
      if (from.name === 'job-kinds.ts') return !to.name.endsWith('.jobs.ts');
      return !(from.name === 'seed.ts' && to.folder === 'seed');
    })
    .map(({ from, to }) => `${from.name} imports ${to.name}, past the door`);

const outsidersNeed = ['platform/outbound.ts', 'platform/log.ts', 'platform/text.ts'];

export const adaptersKnowOnlyTheWayOut: Rule = (file) =>
  serverImports(file)
    .filter(({ from }) => from.folder === 'psp' || from.folder === 'games')
    .filter(({ to }) => !outsidersNeed.includes(to.name))
    .map(({ from, to }) => `${from.name} imports ${to.name}`);

/** Only these files of the server import the package. */
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
  /\.routes\.ts$|\/src\/(app|portal-files|platform\/http)\.ts$/,
);
/** Of node:net, what opens no connection. */
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
  if (isTest(path) || /\/(seed|locales)\//.test(path)) return [];
  const lines = text.trimEnd().split('\n').length;
  return lines > linesMax ? [`${path} has ${lines} lines`] : [];
};

export const noTestIsLeftOut: Rule = (file) => {
  const leftOut =
    /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|fixme)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(/;
  return leftOut.test(codeOf(file)) ? [`${file.path} leaves a test out`] : [];
};

// Those had to say it themselves.
const sayItThemselves = /\/00(?:[012]\d|3[0-4])_/;

export const migrationsLeaveLocksToTheRunner: Rule = ({ path, text }) => {
  if (!path.startsWith('server/migrations/') || sayItThemselves.test(path)) return [];
  return /\block_timeout\b/.test(text) ? [`${path} sets a lock_timeout`] : [];
};

/** Numbers without gap or twin, so that two branches cannot both be the next one. */
export function migrationsOutOfOrder(paths: readonly string[]): string[] {
  return paths
    .toSorted()
    .filter((path, index) => !posix.basename(path).startsWith(`${index + 1}_`.padStart(5, '0')));
}
