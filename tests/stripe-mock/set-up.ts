/**
 * Global set-up of the project `stripe-mock`: `../shared/tools/stripe-mock`, which Go builds once, refuses each request that
 * Stripe's specification does not allow.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ProgramNotStarted, startWatchedProgram, type WatchedProgram } from '#local/parent-watchdog.ts';
import { givenTestStores } from '#scripts/test/given-stores.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { findFreePort } from '#tests/support/free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of stripe-mock; undefined where there is none, or no requests. */
    stripeMockUrl: string | undefined;
  }
}

const tool = join(rootFolder, '../shared/tools/stripe-mock');

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const port = await findFreePort();
  const program = await start(port);
  if (typeof program === 'string') {
    console.log(`tests: stripe-mock: SKIPPED: ${program}`);
    return async () => {};
  }
  project.provide('stripeMockUrl', `http://127.0.0.1:${port}`);
  return () => program.close();
}

/** @returns the running tool, or why it does not run */
async function start(port: number): Promise<WatchedProgram | string> {
  if (givenTestStores().stripeRequestsFolder === undefined) return 'TEST_STRIPE_REQUESTS_FOLDER is not set';
  if (!existsSync(tool)) return 'there is no ../shared/tools/stripe-mock';
  try {
    return await startWatchedProgram({
      command: [tool, '--port', String(port)],
      env: readEnvironment(),
      endSignal: 'TERM',
      isReady: (line) => line.startsWith('Stripe http'),
    });
  } catch (error) {
    if (!(error instanceof ProgramNotStarted)) throw error;
    return error.message;
  }
}
