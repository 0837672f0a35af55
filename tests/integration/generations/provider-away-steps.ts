/** Workers on a provider that is away, which a proxy in front of it makes unreachable. */
import { expect, onTestFinished } from 'vitest';
import type { Behaviour } from '#local/openai/control-client.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** `test` with the proxy `provider`, a new seller and its window for each test. */
export function testProviderAway() {
  const test = testWithSeller({ workers: 0 }).extend(
    'provider',
    { scope: 'file' },
    async ({ stack }, { onCleanup }) => {
      const provider = await startTcpProxy(stack.config.image.baseUrl!);
      onCleanup(() => provider.close());
      return provider;
    },
  );
  test.beforeEach(async ({ stack }) => {
    await stack.images.reset();
    // Each test starts without a pause of the test before.
    await stack.models.providerPauses.deleteMany();
    await stack.models.providerFlows.deleteMany();
    await stack.server.context.queue.removeGlobalRateLimit();
    await stack.server.context.queue.removeRateLimitKey();
  });
  return test;
}

export const revoked: Behaviour = {
  kind: 'error',
  status: 401,
  code: 'invalid_api_key',
  type: 'invalid_request_error',
};

/** Starts workers whose pauses are a twentieth of the default on a fast machine. */
export async function startWorkers(
  stack: TestStack,
  provider: TcpProxy,
  count: number,
  settings: GivenSettings = {},
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const worker = await stack.startWorker({
      PROVIDER_BACKOFF_MS: String(limitMs(100)),
      OPENAI_BASE_URL: provider.url,
      ...settings,
    });
    onTestFinished(() => worker.close());
  }
}

/** Submits one after the other, so that their order is known. @returns their ids and prompts */
export async function submitMany(
  seller: Seller,
  count: number,
): Promise<{ ids: string[]; prompts: string[] }> {
  const prompts = Array.from({ length: count }, (_, index) => `Scene ${index}`);
  const ids: string[] = [];
  for (const prompt of prompts) ids.push((await seller.submit({ prompt })).id);
  return { ids, prompts };
}

export async function expectAllMade(
  stack: TestStack,
  seller: Seller,
  window: SellerWindow,
  ids: string[],
): Promise<void> {
  const views = await Promise.all(ids.map((id) => window.untilEnded(id)));
  const ends = views.map((view) => view.failure?.code ?? view.state);
  expect(ends).toEqual(ids.map(() => 'succeeded'));
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft: 100 - ids.length, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
}
