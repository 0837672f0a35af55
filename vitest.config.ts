import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findChromium } from './scripts/chromium.ts';
import { givenTestStores } from './scripts/test/given-stores.ts';
import { findFirefox, findWebKit } from './tests/support/engines.ts';
import { limitMs } from './tests/support/machine.ts';
import { hasPrometheus } from './tests/support/prometheus.ts';
import { ProjectSequencer } from './tests/support/sequencer.ts';
import { planStores } from './tests/support/stores.ts';
import { markdown } from './web/build/markdown.ts';

const stores = await planStores();
const hasBrowser = findChromium() !== undefined;

/** What needs a browser: nothing where there is none. */
const ifBrowser = <Item>(item: Item): Item[] => (hasBrowser ? [item] : []);

/** Node imports modules itself, as in the product: without Vite, starting is faster, and so is the code. */
const withoutVite = {
  // Files that run in the same process share loaded modules, which saves seconds for each file.
  isolate: false,
  experimental: { viteModuleRunner: false },
};

/** Settings of projects that need stores: their files share one set, in which each has its own database and queue. */
const storeSettings = {
  globalSetup: ['tests/support/stores.ts'],
  testTimeout: limitMs(120_000),
  hookTimeout: limitMs(60_000),
  // A loaded machine may need seconds for what takes milliseconds on an idle one. Polling more often would load it more.
  expect: { poll: { timeout: limitMs(30_000), interval: 150 } },
};

/** Settings of projects that need stores and no modules of their own. */
const withStores = {
  ...storeSettings,
  ...withoutVite,
  // Hashing passwords at the product's cost would take a tenth of the CPU time.
  execArgv: [
    '--import',
    join(import.meta.dirname, 'tests/support/cheap-argon2-hook.ts'),
    ...(givenTestStores().statementsFolder === undefined
      ? []
      : ['--import', join(import.meta.dirname, 'tests/support/record-statements.ts')]),
  ],
};

/** Settings of projects that need stores and, where there is a browser, the built web app. */
const withStoresAndBrowser = {
  ...withStores,
  globalSetup: [...withStores.globalSetup, ...ifBrowser('tests/support/web-app.ts')],
};

/** Tests that only `npm run test:full` runs (docs/testing.md). */
const fullTier = '**/*.full.test.{ts,tsx}';

const unitFolders = '{shared,server,worker,scripts,web/{build,src},tests/{campaigns,repository,support}}';

const unit = {
  setupFiles: ['tests/support/unit-setup.ts'],
  include: [`${unitFolders}/**/*.test.{ts,tsx}`],
  // They share the processors with the browser tests.
  testTimeout: limitMs(30_000),
  hookTimeout: limitMs(30_000),
  expect: { poll: { timeout: limitMs(15_000) } },
  isolate: false,
};

/** Folders in `tests/integration` and `tests/e2e` that belong to projects of their own. */
const ofOtherProjects = ['tests/integration/isolated/**', 'tests/e2e/local-stripe/**'];

/**
 * Tests of generations about rows, balances, files and the provider's replies. What they use of the queue (adding a
 * job, delaying it, taking it up again) is covered on both stores by crash, waiting and provider-away.
 */
const independentOfQueue = [
  'changes',
  'credits',
  'edits',
  'exports',
  'failures',
  'generation-mail',
  'holds',
  'library',
  'looks',
  'previews',
  'product-match',
  'projects',
  'queue-position',
  'remake',
  'storage-away',
  'submits',
];

export default defineConfig({
  test: {
    // Tests start further processes, so with more files at a time they would run into their time limits.
    maxWorkers: availableParallelism() > 1 ? 5 : 3,
    teardownTimeout: limitMs(30_000),
    sequence: { sequencer: ProjectSequencer },
    // Test workers and the processes that they start load the same modules, which are then compiled only once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compiled') },
    projects: [
      {
        plugins: [markdown()],
        test: { name: 'unit', ...unit, exclude: ['scripts/local/**', fullTier] },
      },
      {
        plugins: [markdown()],
        test: {
          name: 'unit-full',
          ...unit,
          include: [`${unitFolders}/**/*.full.test.{ts,tsx}`],
          exclude: ['scripts/local/**'],
        },
      },
      'scripts/local/vitest.config.ts',
      {
        test: {
          // Integration and browser tests are one project, because a test worker serves only one: another would import
          // all modules again.
          name: 'postgres',
          include: ['tests/integration/**/*.test.ts', ...ifBrowser('tests/e2e/**/*.test.ts')],
          exclude: [...ofOtherProjects, fullTier],
          ...withStoresAndBrowser,
        },
      },
      {
        test: {
          name: 'postgres-full',
          include: ['tests/integration/**/*.full.test.ts', ...ifBrowser('tests/e2e/**/*.full.test.ts')],
          exclude: ofOtherProjects,
          ...withStoresAndBrowser,
        },
      },
      {
        test: {
          name: 'isolated',
          // Tests that replace a module of the product.
          include: ['tests/integration/isolated/**/*.test.ts'],
          ...storeSettings,
        },
      },
      ...(stores.redis === undefined
        ? []
        : [
            {
              test: {
                name: 'redis',
                // Only tests whose outcome depends on the queue's store or the event relay run on both.
                include: ['tests/integration/generations/**/*.test.ts'],
                exclude: [
                  ...independentOfQueue.map(
                    (name) => `tests/integration/generations/${name}{,.full}.test.ts`,
                  ),
                  // Faults of MongoDB; the short file has the queue that is away.
                  'tests/integration/generations/submit-crash.full.test.ts',
                ],
                ...withStores,
              },
            },
          ]),
      {
        test: {
          // Tests that measure memory, processor time or response times: `npm run test:limits`, one file at a time.
          name: 'limits',
          include: ['tests/limits/**/*.test.ts'],
          ...withStores,
          // Passwords are hashed at the product's cost.
          execArgv: [],
        },
      },
      {
        test: {
          // Tests of the metrics: `npm run test:full -- --project prometheus`. Those with Prometheus need it on this machine.
          name: 'prometheus',
          include: ['tests/prometheus/**/*.test.ts'],
          exclude: (await hasPrometheus()) ? [] : ['tests/prometheus/prometheus.test.ts'],
          ...withStores,
        },
      },
      {
        test: {
          // Tests of the public pages in a browser: `npm run test:full -- --project site`.
          name: 'site',
          include: ifBrowser('tests/site/**/*.test.ts'),
          ...withStoresAndBrowser,
        },
      },
      {
        test: {
          // Tests in other browsers than Chromium: `npm run test:full -- --project engines`.
          name: 'engines',
          include: [
            ...ifBrowser('tests/engines/chromium*.test.ts'),
            ...(findFirefox() === undefined ? [] : ['tests/engines/firefox*.test.ts']),
            ...(findWebKit() === undefined ? [] : ['tests/engines/webkit*.test.ts']),
          ],
          ...withStores,
          globalSetup: [...withStores.globalSetup, 'tests/support/web-app.ts'],
        },
      },
      {
        test: {
          // Tests of the storage on S3: `npm run test:full -- --project s3`.
          name: 's3',
          include: ['tests/s3/**/*.test.ts'],
          ...withStores,
          globalSetup: [
            ...withStores.globalSetup,
            'tests/support/s3-server.ts',
            ...ifBrowser('tests/support/web-app.ts'),
          ],
        },
      },
      {
        test: {
          // Tests of the queue on a Redis cluster, with sentinels and with TLS: `npm run test:full -- --project topologies`.
          name: 'topologies',
          include: stores.redis === undefined ? [] : ['tests/topologies/**/*.test.ts'],
          ...withStores,
        },
      },
      {
        test: {
          // Tests of the manifests of deploy/kubernetes/: `npm run test:full -- --project kubernetes`.
          name: 'kubernetes',
          include: ['tests/kubernetes/**/*.test.ts'],
          ...withStores,
          globalSetup: [...withStores.globalSetup, 'tests/support/kubernetes.ts'],
        },
      },
      {
        test: {
          // The requests to Stripe that the other tests recorded.
          name: 'stripe-mock',
          include: ['tests/stripe-mock/**/*.test.ts'],
          ...withoutVite,
          testTimeout: limitMs(120_000),
          globalSetup: ['tests/stripe-mock/set-up.ts'],
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['tests/simulation/**/*.test.ts'],
          ...withStores,
        },
      },
      ...ifBrowser({
        test: {
          name: 'stand-ins-e2e',
          include: ['tests/e2e/local-stripe/**/*.test.ts'],
          ...withoutVite,
          testTimeout: limitMs(120_000),
          hookTimeout: limitMs(60_000),
          expect: { poll: { timeout: limitMs(30_000) } },
        },
      }),
    ],
  },
});
