/** Shared by the tests of limits per network: requests from several networks, and the reply to one too many. */
import { expect } from 'vitest';
import { expectError } from '#tests/support/errors.ts';
import { type RawRequest, sendRaw } from '#tests/support/raw-http.ts';
import { testWithSharedSeller } from '#tests/support/test.ts';

export const test = testWithSharedSeller({ workers: 0, settings: { NETWORK_LIMIT_FACTOR: '1' } })
  // Servers with a tenth and a hundredth of the limits.
  .extend('tenth', { scope: 'file' }, ({ stack }) => stack.startServer({ NETWORK_LIMIT_FACTOR: '0.1' }))
  .extend('hundredth', { scope: 'file' }, ({ stack }) => stack.startServer({ NETWORK_LIMIT_FACTOR: '0.01' }));

/** A loopback address that no other test uses. */
export const newSource = (() => {
  let last = 1;
  return () => {
    last += 1;
    return `127.0.0.${last}`;
  };
})();

export const sendJson = (url: string, path: string, body: unknown, more: Partial<RawRequest> = {}) =>
  sendRaw(url, {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    ...more,
    headers: { 'content-type': 'application/json', ...more.headers },
  });

export function expectLimited(answer: Awaited<ReturnType<typeof sendJson>>, seconds: number): void {
  expectError(answer, 'RATE_LIMITED', {
    message: expect.stringMatching(/^Too many requests from your network\. Please try again in \d+ \w+\.$/),
  });
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
}
