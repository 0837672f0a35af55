/** A thousand messages of the contact form from one network: few mails, and quick refusals. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { expectError } from '#tests/support/errors.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import type { Answer } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0, settings: { NETWORK_LIMIT_FACTOR: '1' } });

test('of a thousand messages from one network few are sent, the rest is told to wait', async ({ stack }) => {
  const { requests, seconds } = limits.network.contact;
  const send = (from: string) =>
    sendRaw(stack.url, {
      method: 'POST',
      path: paths.contact,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', email: newAddress(), subject: 'general', message: 'Hello' }),
      from,
    });
  const answers: Answer<unknown>[] = [];
  for (let batch = 0; batch < 20; batch += 1) {
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => send('127.0.0.77')))));
  }
  const refused = answers.filter(({ status }) => status !== 202);
  expect(answers.length - refused.length).toBe(requests);
  for (const answer of refused) {
    expectError(answer, 'RATE_LIMITED', { message: expect.stringContaining('from your network') });
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(seconds);
  }
  expect(await stack.models.mails.countDocuments()).toBe(2 * requests);
  expect((await send('127.0.0.78')).status).toBe(202);
});
