/** The requests of the tests to Stripe, in TEST_STRIPE_REQUESTS_FOLDER: those of one kind once for each process. */
import { appendFileSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiRequest } from '#local/stripe/server.ts';
import { givenTestStores } from '#scripts/test/given-stores.ts';

const recorded = new Set<string>();

/** @returns what records a request; undefined unless a folder is given */
export function recordStripeRequests(): ((request: ApiRequest) => void) | undefined {
  const { stripeRequestsFolder: folder } = givenTestStores();
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  return (request) => {
    const kind = kindOf(request);
    if (recorded.has(kind)) return;
    recorded.add(kind);
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(request)}\n`);
  };
}

/** The recorded requests, those of one kind once. */
export function readStripeRequests(folder: string): ApiRequest[] {
  const lines = globSync(join(folder, '*.jsonl')).flatMap((file) =>
    readFileSync(file, 'utf8').trim().split('\n'),
  );
  const requests = lines.map((line) => JSON.parse(line) as ApiRequest);
  return [...new Map(requests.map((request) => [kindOf(request), request])).values()];
}

/** The same for requests that differ only in ids, numbers and addresses: the specification treats them alike. */
function kindOf({ method, url, form = '' }: ApiRequest): string {
  const parts = new URLSearchParams(form);
  const fields = [...parts].map(([name, value]) => `${name}=${/\d|@|\//.test(value) ? '' : value}`);
  return `${method} ${url.replaceAll(/_[A-Za-z0-9]{6,}/g, '_').replaceAll(/\d+/g, '0')} ${fields.join('&')}`;
}
