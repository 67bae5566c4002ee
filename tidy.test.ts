import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importCircles } from './tidy-circles.ts';
import { adapterFiles, providersHaveTheSameFiles, sandboxFiles } from './tidy-providers.ts';
import { databaseTestsWithoutDatabase, queriesOutOfReach } from './tidy-reach.ts';
import * as rules from './tidy-rules.ts';
import { testTitlesStandAlone } from './tidy-titles.ts';

const isOurs = (path: string) => !/(^|\/)(node_modules|dist|\.pointgate)(\/|$)/.test(path);
const files = globSync('**/*.{ts,tsx,sql}', { exclude: (path) => !isOurs(path) })
  .filter((path) => /\.tsx?$|^server\/migrations\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const migrations = files.map(({ path }) => path).filter((path) => path.endsWith('.sql'));

test('the check of the source code rules reads the files and imports of every workspace', () => {
  const importsIn = (folder: string) =>
    files
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(rules.importsOf)
      .map(({ target }) => target);
  expect(importsIn('contract/src/').length).toBeGreaterThan(20);
  expect(importsIn('server/src/').length).toBeGreaterThan(200);
  expect(importsIn('server/src/')).toContain('server/src/money/orders/orders.queries.ts');
  expect(importsIn('server/src/')).toContain('contract/src/money.ts');
  expect(importsIn('portal/src/').length).toBeGreaterThan(100);
  expect(importsIn('sandbox/').length).toBeGreaterThan(50);
  expect(importsIn('tools/').length).toBeGreaterThan(50);
  expect(migrations.length).toBeGreaterThan(4);
});

interface Case {
  guarantee: string;
  rule: rules.Rule;
  /** Paths and texts, each of which violates the rule. */
  broken: [path: string, text: string][];
  /** Files that look like violations and are none. */
  fine?: [path: string, text: string][];
}

const cases: Case[] = [
  {
    guarantee: 'workspaces share only the contract package',
    rule: rules.workspacesKeepApart,
    broken: [
      ['sandbox/src/game.ts', `import { Amount } from '@pointgate/contract/money.ts';`],
      ['sandbox/src/game.ts', `import { newId } from '../../server/src/platform/ids.ts';`],
      ['auditor/src/orders.ts', `import { sql } from '../../server/src/platform/db.ts';`],
      ['auditor/src/facts.ts', `import { Amount } from '@pointgate/contract/money.ts';`],
      [
        'server/src/wiring/app.ts',
        `import { deriveExpectedOrder } from '../../../auditor/src/expected-order.ts';`,
      ],
      ['portal/src/main.tsx', `import type { Order } from '@pointgate/server/orders/orders.ts';`],
      ['e2e/buy.spec.ts', `import {\n  openShop,\n} from '../server/src/app.ts';`],
      ['tools/dev.ts', `const app = await import('../server/src/app.ts');`],
      ['contract/src/money.ts', `export * from '../../portal/src/i18n/format.ts';`],
      ['server/src/wiring/app.ts', `import '../../../tools/services.ts';`],
      ['server/src/seed.ts', `import { scenes } from '../../demo/art/scenes.ts';`],
      ['demo/art/art.ts', `import { locales } from '@pointgate/contract/locales.ts';`],
      [
        'server/src/wiring/app.ts',
        `import { call } from '../../../portal/src/shared/api/client.ts';`,
      ],
    ],
    fine: [
      ['server/src/wiring/app.ts', `import { Amount } from '@pointgate/contract/money.ts';`],
      ['server/test/world.ts', `import { startProgram } from '../../tools/stack/program.ts';`],
    ],
  },
  {
    guarantee: 'the contract imports only Zod',
    rule: rules.contractNeedsZodOnly,
    broken: [
      ['contract/src/money.ts', `import { randomUUID } from 'node:crypto';`],
      ['contract/src/money.ts', `import type pg from 'pg';`],
    ],
    fine: [['contract/src/money.ts', `import * as z from 'zod/mini';\nimport './names.ts';`]],
  },
  {
    guarantee: 'a server folder imports only from the layers below it',
    rule: rules.serverIsBuiltInFloors,
    broken: [
      ['server/src/platform/db.ts', `import { Fact } from '../money/orders/order-fact.ts';`],
      ['server/src/money/ledger/ledger.ts', `import { findOrder } from '../orders/orders.ts';`],
      [
        'server/src/money/orders/orders.ts',
        `import { openCatalogue } from '../../catalogue/catalogue.ts';`,
      ],
      [
        'server/src/money/payments/payments.ts',
        `import { deliver } from '../../delivery/delivery.ts';`,
      ],
      ['server/src/checkout/checkout.ts', `import { readConfig } from '../wiring/config.ts';`],
      ['server/src/nowhere/nowhere.ts', ''],
      ['server/src/people/new/new.ts', ''],
      [
        'server/src/offers/conditions/conditions.ts',
        `import { quotaCondition } from '../quotas/quotas.ts';`,
      ],
      ['server/src/offers/new/new.ts', `import { quotaCondition } from '../quotas/quotas.ts';`],
    ],
    fine: [
      [
        'server/src/offers/new/new.ts',
        `import type { PurchaseCondition } from '../conditions/conditions.ts';`,
      ],
      ['server/src/checkout/checkout.ts', `import { findOrder } from '../money/orders/orders.ts';`],
      [
        'server/src/money/orders/orders.db.test.ts',
        `import { send } from '../../checkout/checkout.ts';`,
      ],
    ],
  },
  {
    guarantee:
      'a portal file imports only from lower layers, and a feature never from another feature',
    rule: rules.portalIsBuiltInLayers,
    broken: [
      ['portal/src/shared/ui/modal.tsx', `import { x } from '../../entities/session/session.ts';`],
      [
        'portal/src/entities/payment/use-pay.ts',
        `import { x } from '../../features/login/seal.ts';`,
      ],
      ['portal/src/features/orders/order-page.tsx', `import { x } from '../recharge/pack.ts';`],
      ['portal/src/features/orders/order-page.tsx', `import { x } from '../../app/router.tsx';`],
      ['portal/src/orders/order-page.tsx', ''],
    ],
    fine: [
      ['portal/src/features/orders/order-page.tsx', `import './order-page.css';`],
      [
        'portal/src/features/orders/order-page.tsx',
        `import { x } from '../../shared/ui/button.tsx';`,
      ],
      ['portal/src/main.tsx', `import { router } from './app/router.tsx';`],
      ['portal/src/features/orders/orders.test.tsx', `import { x } from '../../app/router.tsx';`],
    ],
  },
  {
    guarantee: 'the shapes of shop documents are in no program of a browser',
    rule: rules.documentsStayOutOfTheBrowser,
    broken: [
      [
        'portal/src/shared/site.ts',
        `import { Theme } from '@pointgate/contract/documents/parts.ts';`,
      ],
      ['contract/src/site-config.ts', `import { Theme } from './documents/parts.ts';`],
    ],
    fine: [
      [
        'server/src/wiring/app.ts',
        `import { Theme } from '@pointgate/contract/documents/parts.ts';`,
      ],
      ['contract/src/documents/game.ts', `import { Theme } from './parts.ts';`],
    ],
  },
  {
    guarantee: 'paths of portal pages are written only in the table of pages',
    rule: rules.pagePathsAreWrittenOnce,
    broken: [
      ['portal/src/app/router.tsx', `<Route path="/main/home" element={<Home />} />`],
      ['portal/src/features/login/secure-page.tsx', `<BackLink to="/login">`],
      ['portal/src/shared/ui/hero.tsx', `const address = \`/page/\${id}\`;`],
      ['server/src/wiring/app.ts', `new URL('/dream/order/detail?paymentId=1', portalUrl)`],
      ['tools/stack/elsewhere.ts', `const address = \`\${site}/login/return\`;`],
    ],
    fine: [
      ['portal/src/app/page-code.ts', `await import('../features/login/login-page.tsx')`],
      ['portal/src/app/router.tsx', '// `/main/home` is below the root.\n/** Or `/login`. */'],
      ['portal/src/features/login/login-page.test.tsx', `await open('/login');`],
      ['server/src/people/accounts/accounts.ts', `path: '/api/user/login'`],
      ['portal/src/shared/ui/hero.tsx', `<main id="main"></main>`],
    ],
  },
  {
    guarantee: 'a feature is imported only through its public files',
    rule: rules.featuresAreEnteredByTheirDoor,
    broken: [
      [
        'server/src/money/payments/payments.ts',
        `import { selectOrderLocked } from '../orders/orders.queries.ts';`,
      ],
      [
        'server/src/checkout/checkout.ts',
        `import { nothing } from '../money/payments/payments.jobs.ts';`,
      ],
      ['server/src/worker.ts', `import { paymentWorks } from './money/payments/payments.jobs.ts';`],
      [
        'server/src/wiring/app.ts',
        `import { selectOrderLocked } from '../money/orders/orders.queries.ts';`,
      ],
      [
        'server/src/wiring/app.ts',
        `import { newToken } from '../people/accounts/session-token.ts';`,
      ],
      [
        'server/src/wiring/job-kinds.ts',
        `import { sendRoutes } from '../money/payments/payments.routes.ts';`,
      ],
    ],
    fine: [
      [
        'server/src/wiring/job-kinds.ts',
        `import { expireOrderJob } from '../money/payments/payments.jobs.ts';`,
      ],
      [
        'server/src/wiring/app.ts',
        `import { paymentWorks } from '../money/payments/payments.jobs.ts';`,
      ],
      [
        'server/src/money/payments/payments.ts',
        `import type { Fact } from '../orders/order-fact.ts';`,
      ],
    ],
  },
  {
    guarantee:
      'payment and game adapters import outbound calls, and neither the database nor features',
    rule: rules.adaptersKnowOnlyTheWayOut,
    broken: [
      ['server/src/money/psp/stripe.ts', `import type { Db } from '../../platform/db.ts';`],
      [
        'server/src/publisher/games/games.ts',
        `import { keyOf } from '../../money/orders/orders.ts';`,
      ],
    ],
    fine: [
      ['server/src/money/psp/stripe.ts', `import { callOut } from '../../platform/outbound.ts';`],
    ],
  },
  {
    guarantee: 'adapters and sandboxes of payment providers have the same file names',
    rule: providersHaveTheSameFiles,
    broken: [
      ['server/src/money/psp/stripe/sessions.ts', ''],
      ['server/src/money/psp/stripe/sessions.test.ts', ''],
      ['sandbox/src/alipay/cashier.routes.ts', ''],
      ['sandbox/src/example/helpers.ts', ''],
    ],
    fine: [
      ['server/src/money/psp/stripe/payments.ts', ''],
      ['server/src/money/psp/stripe/unknown-outcomes.db.test.ts', ''],
      ['server/src/money/psp/test/stripe-world.ts', ''],
      ['server/src/money/psp/csv.ts', ''],
      ['sandbox/src/alipay/pay.routes.ts', ''],
      ['sandbox/src/alipay/pay.test.ts', ''],
      ['sandbox/src/platform/clock.ts', ''],
      ['sandbox/src/game/calls.ts', ''],
    ],
  },
  {
    guarantee: 'the database driver is imported only by the connection pool and single connections',
    rule: rules.onlyTheDbKnowsPg,
    broken: [['server/src/platform/jobs.ts', `import pg from 'pg';`]],
    fine: [['server/src/platform/db.ts', `import pg from 'pg';`]],
  },
  {
    guarantee: 'the job engine is imported by a single file',
    rule: rules.onlyJobsKnowTheEngine,
    broken: [['server/src/delivery/delivery.ts', `import type { PgBoss } from 'pg-boss';`]],
  },
  {
    guarantee: 'SQL is written only in the platform and in query files',
    rule: rules.sqlStaysInQueries,
    broken: [
      [
        'server/src/money/orders/orders.ts',
        `import { type Db, sql, type Tx } from '../../platform/db.ts';`,
      ],
      ['server/src/money/orders/orders.ts', `import type { Sql } from '../../platform/db.ts';`],
    ],
    fine: [
      ['server/src/money/orders/orders.queries.ts', `import { sql } from '../../platform/db.ts';`],
      ['server/src/money/orders/orders.ts', `import type { Db } from '../../platform/db.ts';`],
    ],
  },
  {
    guarantee: 'the network is called by a single file of the server',
    rule: rules.onlyOutboundKnowsTheNetwork,
    broken: [
      ['server/src/money/psp/stripe.ts', `const reply = await fetch(url);`],
      ['server/src/money/psp/stripe.ts', `const client = createClient(fetch);`],
      ['server/src/money/psp/stripe.ts', `import { request } from 'node:https';`],
      ['server/src/money/psp/stripe.ts', `import { isIP, connect } from 'node:net';`],
    ],
    fine: [
      ['server/src/platform/outbound.ts', `await fetch(url);`],
      [
        'server/src/platform/jobs.ts',
        `await boss.fetch(name); // like fetch(url)\nsay('fetch(url)');`,
      ],
      ['server/src/platform/proxies.ts', `import { BlockList, isIP } from 'node:net';`],
      ['server/src/money/psp/stripe.ts', `const limited: typeof fetch = async () => {};`],
    ],
  },
  {
    guarantee: 'Fastify is imported only by route files',
    rule: rules.onlyRoutesKnowFastify,
    broken: [
      ['server/src/money/orders/orders.ts', `import type { FastifyRequest } from 'fastify';`],
      ['server/src/platform/db.ts', `import cookie from '@fastify/cookie';`],
    ],
    fine: [['server/src/wiring/time.routes.ts', `import type { FastifyInstance } from 'fastify';`]],
  },
  {
    guarantee: 'environment variables are read in a single file',
    rule: rules.environmentIsReadOnce,
    broken: [
      ['server/src/wiring/app.ts', `const url = process.env.DATABASE_URL;`],
      ['portal/src/main.tsx', `const { HOME } = process.env;`],
    ],
    fine: [
      ['server/src/wiring/config.ts', `readConfig(process.env)`],
      ['server/src/wiring/app.ts', `// process.env is for config.ts`],
    ],
  },
  {
    guarantee: 'an object literal is not spread into another one',
    rule: rules.literalsAreNotSpread,
    broken: [['server/src/money/orders/orders.ts', `const order = { id, ..${'.'}{ a, b } };`]],
    fine: [['portal/src/app/router.tsx', `<Page {..${'.'}{ a, b }} {...props} />`]],
  },
  {
    guarantee: 'default exports are not used',
    rule: rules.nothingIsExportedByDefault,
    broken: [['portal/src/main.tsx', `export default function Page() {}`]],
    fine: [['vitest.config.ts', `export default defineConfig({});`]],
  },
  {
    guarantee: 'names are not re-exported by other files',
    rule: rules.nothingIsExportedTwice,
    broken: [
      ['contract/src/index.ts', `export * from './money.ts';`],
      ['contract/src/index.ts', `export { Amount } from './money.ts';`],
      ['contract/src/index.ts', `import { Amount } from './money.ts';\nexport { Amount };`],
      ['contract/src/index.ts', `export type { Money } from './money.ts';`],
    ],
    fine: [['contract/src/money.ts', `export const Money = {};\nexport type Money = {};`]],
  },
  {
    guarantee: 'files and folders are named in kebab-case',
    rule: rules.namesAreKebabCase,
    broken: [
      ['server/src/money/orders/orderState.ts', ''],
      ['server/src/Orders/orders.ts', ''],
      ['portal/src/shared/ui/Button.tsx', ''],
      ['tools/my_tool.ts', ''],
    ],
    fine: [
      ['server/src/money/orders/order-state.db.test.ts', ''],
      ['server/migrations/0006_attempt_locale.sql', ''],
      ['server/migrations/0006_attempt_locale.online.sql', ''],
    ],
  },
  {
    guarantee: 'a source file has at most 400 lines',
    rule: rules.filesHoldOneIdea,
    broken: [
      ['server/src/money/orders/orders.ts', 'line\n'.repeat(401)],
      ['server/src/documents/shop-documents.ts', 'line\n'.repeat(401)],
    ],
    fine: [
      ['server/src/money/orders/orders.ts', 'line\n'.repeat(400)],
      ['server/src/wiring/app.ts', 'line\n'.repeat(401)],
      ['server/src/app.test.ts', 'line\n'.repeat(401)],
    ],
  },
  {
    guarantee: 'builders of test data for the server are in server/test',
    rule: rules.buildersAreInOnePlace,
    broken: [['server/src/money/points/test/wallets.ts', '']],
    fine: [
      ['server/test/points/wallets.ts', ''],
      ['server/src/money/points/points.db.test.ts', ''],
    ],
  },
  {
    guarantee: 'no test is skipped, focused or left to do',
    rule: rules.noTestIsLeftOut,
    broken: [
      ['server/src/app.test.ts', `test.only('a', () => {});`],
      ['server/src/app.test.ts', `describe.concurrent.skip('a', () => {});`],
      ['server/src/app.test.ts', `it.todo('a');`],
      ['server/src/app.test.ts', `xit('a', () => {});`],
    ],
    fine: [['server/src/app.test.ts', `test.skipIf(isAway)('a', () => {}); exit(1);`]],
  },
  {
    guarantee: 'a test title is a sentence that stands alone and begins with its subject',
    rule: testTitlesStandAlone,
    broken: [
      ['server/src/app.test.ts', `test('of the country comes before that of any', () => {});`],
      ['server/src/app.test.ts', `test('[S4.02] is refused twice', () => {});`],
      ['portal/src/app/app.test.tsx', `test.each([[1]])('and %s is refused', () => {});`],
      ['e2e/buy.spec.ts', `test(\`says \${what} to the player\`, () => {});`],
    ],
    fine: [
      ['server/src/app.test.ts', `test('[S4.02] an order is refused twice', () => {});`],
      ['server/src/app.test.ts', `test.each([[1]])('%s is refused', () => {});`],
      ['server/src/app.test.ts', `describe('is refused', () => {});`],
      ['server/src/app.ts', `test('is refused', () => {});`],
    ],
  },
  {
    guarantee: 'lock timeouts are set by the migration runner and not by migrations',
    rule: rules.migrationsLeaveLocksToTheRunner,
    broken: [['server/migrations/0041_new.sql', `set local lock_timeout = '5s';\ndrop table a;`]],
    fine: [
      ['server/migrations/0034_old.sql', `set local lock_timeout = '5s';\ndrop table a;`],
      ['server/migrations/0041_new.sql', `drop table a;`],
    ],
  },
];

test.each(cases)('the repository keeps the rule: $guarantee', ({ rule }) => {
  expect(files.flatMap(rule)).toEqual([]);
});

test.each(cases)(
  'the repository check finds a breach of the rule: $guarantee',
  ({ rule, broken, fine = [] }) => {
    for (const [path, text] of broken) {
      expect(rule({ path, text }), `${path}: ${text}`).not.toEqual([]);
    }
    for (const [path, text] of fine) expect(rule({ path, text })).toEqual([]);
  },
);

test('the guide to a new payment provider explains each file of a provider adapter and of a provider sandbox', () => {
  const guide = readFileSync('docs/how-to/add-a-provider.md', 'utf8');
  const unexplained = (names: readonly string[]) =>
    names.filter((name) => !guide.includes(`\`${name}.ts\``));
  expect(unexplained(adapterFiles)).toEqual([]);
  expect(unexplained(sandboxFiles)).toEqual([]);
});

test('database migrations are numbered without gaps or duplicates', () => {
  expect(rules.migrationsOutOfOrder(migrations)).toEqual([]);
  expect(rules.migrationsOutOfOrder(['m/0001_a.sql', 'm/0003_b.sql'])).toEqual(['m/0003_b.sql']);
  expect(rules.migrationsOutOfOrder(['m/0001_a.sql', 'm/0001_b.sql'])).toEqual(['m/0001_b.sql']);
});

test('no files import each other in a circle', () => {
  expect(importCircles(files)).toEqual([]);
});

test('the search for import circles finds a circle of two files and a circle of three, and none in a tree', () => {
  const file = (path: string, ...targets: string[]) => ({
    path: `server/src/${path}.ts`,
    text: targets.map((target) => `import '../src/${target}.ts';`).join('\n'),
  });
  expect(importCircles([file('a', 'b'), file('b', 'a', 'c'), file('c')])).toEqual([
    ['server/src/a.ts', 'server/src/b.ts'],
  ]);
  expect(importCircles([file('a', 'b'), file('b', 'c'), file('c', 'a')])[0]).toHaveLength(3);
  expect(importCircles([file('a', 'b', 'c'), file('b', 'c'), file('c')])).toEqual([]);
});

describe('queries that tests reach', () => {
  test('every database query of the server is reached by a test with a real database', () => {
    expect(files.filter(({ path }) => path.endsWith('.queries.ts')).length).toBeGreaterThan(5);
    expect(queriesOutOfReach(files)).toEqual([]);
  });

  test('the repository check finds a database query that no test reaches', () => {
    const made = (testText: string) =>
      queriesOutOfReach([
        {
          path: 'contract/src/shop.ts',
          text: `export const buy = endpoint({ path: '/api/buy' });`,
        },
        {
          path: 'server/src/shop/shop.queries.ts',
          text: 'const isIt = 1;\nexport function selectIt() { isIt; }\nexport const insertIt = () => {};',
        },
        {
          path: 'server/src/shop/shop.ts',
          text: `import { insertIt, selectIt } from './shop.queries.ts';
export async function* find() {\n  selectIt();\n}
export function add() {\n  insertIt();\n}`,
        },
        {
          path: 'server/src/shop/shop.routes.ts',
          text: `import { buy } from '@pointgate/contract/shop.ts';
import { add } from './shop.ts';
export function registerShop() {\n  publicRoute(app, buy, () => add());\n}`,
        },
        {
          path: 'server/src/wiring/app.ts',
          text: `import { registerShop } from '../shop/shop.routes.ts';
export function createApi() {\n  registerShop();\n}`,
        },
        { path: 'server/src/shop/shop.db.test.ts', text: testText },
      ]);
    const openApp = `import { createApi } from '../wiring/app.ts';\ntest('a', () => createApi());\n`;
    expect(made(openApp)).toEqual([
      'shop/shop.queries.ts selectIt',
      'shop/shop.queries.ts insertIt',
    ]);
    expect(made(`${openApp}send('/api/buy')`)).toEqual(['shop/shop.queries.ts selectIt']);
    const direct = `import { find } from './shop.ts';\ntest('a', () => find());`;
    expect(made(direct)).toEqual(['shop/shop.queries.ts insertIt']);
  });
});

test('every test file named .db.test.ts opens a database', () => {
  expect(databaseTestsWithoutDatabase(files)).toEqual([]);
  const made = (helper: string) =>
    databaseTestsWithoutDatabase([
      {
        path: 'server/src/money/psp/pay.db.test.ts',
        text: `import { pay } from './test/world.ts';`,
      },
      { path: 'server/src/money/psp/test/world.ts', text: helper },
    ]);
  expect(made(`import { cloneDatabase } from '../../../../test/database.ts';`)).toEqual([]);
  expect(made(`import { openStripe } from '../stripe.ts';`)).toEqual([
    'server/src/money/psp/pay.db.test.ts',
  ]);
});
