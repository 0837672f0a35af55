import { expect, inject, test } from 'vitest';
import type { ApiRequest } from '#local/stripe/server.ts';
import { givenTestStores } from '#scripts/test/given-stores.ts';
import { readStripeRequests } from '#tests/support/stripe-requests.ts';

const mock = inject('stripeMockUrl');
/** A key as stripe-mock accepts it: letters and digits. */
const authorization = 'Bearer sk_test_packshot';

/** @returns why Stripe's specification refuses a request; undefined if it does not */
async function refusalOf({ method, url, form }: ApiRequest): Promise<string | undefined> {
  const contentType = form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(mock + url, {
    method,
    headers: { authorization, ...contentType },
    body: form ?? null,
  });
  const text = await response.text();
  if (response.ok) return undefined;
  return `${method} ${url} ${decodeURIComponent(form ?? '')}: ${response.status} ${text}`;
}

test.skipIf(mock === undefined)(
  "Stripe's specification allows every request that the tests made",
  async () => {
    const requests = readStripeRequests(givenTestStores().stripeRequestsFolder!);
    const refusals: (string | undefined)[] = [];
    for (const request of requests) refusals.push(await refusalOf(request));
    console.log(`stripe-mock: ${requests.length} requests`);
    expect(requests.length).toBeGreaterThan(50);
    expect(await refusalOf({ method: 'POST', url: '/v1/customers', form: 'colour=red' })).toContain('400');
    expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([]);
  },
);
