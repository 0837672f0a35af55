/**
 * Stripe's own specification, for `npm run test:full -- --project stripe-mock`: `../shared/tools/stripe-mock`, which Go builds
 * once, refuses each request that the specification does not allow. The requests are those that the tests of the project
 * make to the local Stripe. Without the tool, or without Go, nothing is compared, and the output says so.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { ProgramNotStarted, startWatchedProgram, type WatchedProgram } from '#local/parent-watchdog.ts';
import type { ApiRequest } from '#local/stripe/server.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { findFreePort } from './free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of stripe-mock; undefined outside the project, and where there is none. */
    stripeMockUrl: string | undefined;
  }
}

/** A key as stripe-mock accepts it: letters and digits. */
const key = 'sk_test_packshot';

const tool = join(rootFolder, '../shared/tools/stripe-mock');

/** Global set-up of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const port = await findFreePort();
  const program = existsSync(tool) ? await start(port) : 'there is no ../shared/tools/stripe-mock';
  if (typeof program === 'string') {
    console.log(
      `tests: stripe-mock: SKIPPED: requests are not compared with Stripe's specification: ${program}`,
    );
    return async () => {};
  }
  project.provide('stripeMockUrl', `http://127.0.0.1:${port}`);
  console.log("tests: stripe-mock: requests are compared with Stripe's specification");
  return () => program.close();
}

/** @returns the running tool, or why it does not run */
async function start(port: number): Promise<WatchedProgram | string> {
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

/** The requests of a stack, to be compared with the specification. */
interface RecordedRequests {
  record: (request: ApiRequest) => void;
  /** @throws with the requests that Stripe's specification refuses */
  check(): Promise<void>;
}

/** Records requests in the project; undefined elsewhere. */
export function recordRequests(): RecordedRequests | undefined {
  const mock = inject('stripeMockUrl');
  if (mock === undefined) return undefined;
  const requests = new Map<string, ApiRequest>();
  return {
    record: (request) => void requests.set(JSON.stringify(request), request),
    async check() {
      const refused: string[] = [];
      for (const request of requests.values()) {
        const refusal = await refusalOf(mock, request);
        if (refusal) refused.push(refusal);
      }
      console.log(`stripe-mock: ${requests.size} requests, ${refused.length} refused`);
      if (refused.length > 0) throw new Error(`Stripe's specification refuses:\n${refused.join('\n')}`);
    },
  };
}

async function refusalOf(mock: string, { method, url, form }: ApiRequest): Promise<string | undefined> {
  const response = await fetch(mock + url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: form ?? null,
  });
  const text = await response.text();
  return response.ok
    ? undefined
    : `${method} ${url} ${decodeURIComponent(form ?? '')}: ${response.status} ${text}`;
}
