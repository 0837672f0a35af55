import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findChromium } from './tests/support/chromium.ts';
import { SpreadSequencer } from './tests/support/sequencer.ts';
import { planStores } from './tests/support/stores.ts';

const stores = await planStores();
const chromium = findChromium();

/** Projects that start stores: their files share one set, and each makes its own database and queue in it. */
const withStores = {
  // What a file loads the next one in the same process need not load again: seconds for each of them.
  isolate: false,
  globalSetup: ['tests/support/stores.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is awaited comes sooner, but a loaded machine may keep it for seconds.
  expect: { poll: { timeout: 15_000 } },
};

export default defineConfig({
  test: {
    // The tests start processes of their own; more files at a time than this would time each other out.
    maxWorkers: 4,
    // Test workers and the processes they start load the same modules again and again: they compile them once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compiled') },
    sequence: { sequencer: SpreadSequencer },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,server,worker,scripts,web/src}/**/*.test.{ts,tsx}'],
          exclude: ['scripts/local/**'],
        },
      },
      'scripts/local/vitest.config.ts',
      {
        test: {
          name: 'integration-postgres',
          include: ['tests/integration/**/*.test.ts'],
          exclude: ['tests/integration/isolated/**'],
          ...withStores,
        },
      },
      {
        test: {
          name: 'integration-isolated',
          // Tests that replace a module: no other file may have loaded it, or load it afterwards.
          include: ['tests/integration/isolated/**/*.test.ts'],
          ...withStores,
          isolate: true,
        },
      },
      ...(stores.redis === undefined
        ? []
        : [
            {
              test: {
                name: 'integration-redis',
                // What the queue and its events are about; the rest asks nothing of them.
                include: ['tests/integration/generations/**/*.test.ts'],
                ...withStores,
              },
            },
          ]),
      {
        test: {
          name: 'simulation',
          include: ['tests/simulation/**/*.test.ts'],
          ...withStores,
        },
      },
      ...(chromium === undefined
        ? []
        : [
            {
              test: {
                name: 'e2e',
                include: ['tests/e2e/**/*.test.ts'],
                ...withStores,
                globalSetup: [...withStores.globalSetup, 'tests/support/web-app.ts'],
                testTimeout: 120_000,
              },
            },
          ]),
    ],
  },
});
