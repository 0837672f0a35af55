/** Floods of messages and applications: few mails, and little memory. */

import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { pdf } from '#tests/support/cv-files.ts';
import { expectError } from '#tests/support/errors.ts';
import { memoryOf } from '#tests/support/memory.ts';
import { multipart } from '#tests/support/multipart.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import type { Answer } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress } from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0, settings: { NETWORK_LIMIT_FACTOR: '1' } });

test('of a thousand messages from one network few are sent, the rest is told to wait', async ({ stack }) => {
  const { requests, seconds } = requestLimits.network.contact;
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

test.skipIf(process.platform !== 'linux')(
  '24 applications of 5 MB from 12 networks at once cost a server less than 200 MB',
  async ({ stack }) => {
    const server = await stack.startServerProcess();
    const apply = (network: number, cv: Buffer) =>
      sendRaw(server.url!, {
        method: 'POST',
        path: paths.applications,
        from: `127.0.1.${network}`,
        ...multipart([
          { name: 'position', value: 'product-engineer' },
          { name: 'name', value: 'Ada' },
          { name: 'email', value: newAddress() },
          { name: 'cv', fileName: 'cv.pdf', value: cv },
        ]),
      });
    expect((await apply(250, pdf())).status).toBe(202);
    const before = await memoryOf(server.pid);
    const cv = pdf(limits.cvBytes);
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => apply(1 + (index % 12), cv)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const growth = (await memoryOf(server.pid)).peak - before.now;
    console.info(`24 applications: ${Math.round(growth / 1024 / 1024)} MB`);
    expect(growth).toBeLessThan(200 * 1024 * 1024);
  },
);
