/** What a generation ends with when the provider gives no image. */
import { expect, vi } from 'vitest';
import { failureMessage, type GenerationFailureCode, type Moderation } from '#contract';
import type { Behaviour } from '#local/openai/control-client.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { failureHelp } from '#shared/views/failure-help.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Form, Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

/** `test` with a new seller and its window for each test, and an audit after all of them. */
export function testFailures() {
  const test = testWithSeller({ workers: 0 });
  test.beforeEach(async ({ stack }) => {
    await stack.images.reset();
    // The failures of several tests in a row would open the breaker.
    await Promise.all([stack.models.providerFlows.deleteMany(), stack.models.providerPauses.deleteMany()]);
  });
  test.afterAll(({ stack }) => vi.waitFor(async () => expect(await stack.audit()).toEqual([]), eventually));
  return test;
}

/** Starts a worker for the tests of a `describe` block. */
export function useWorker(test: ReturnType<typeof testFailures>, settings: GivenSettings = {}): void {
  test.beforeAll(async ({ stack }) => {
    const worker = await stack.startWorker(settings);
    return () => worker.close();
  });
}

export interface End {
  /** Undefined when it depends on timing. */
  calls?: number;
  /** Undefined when it succeeds. */
  failure?: GenerationFailureCode;
  /** The provider's error in the row, for the operator. */
  status?: number | null;
  code?: string | null;
  /** What its moderation said, which the seller reads too. */
  moderation?: Moderation;
  /** What the seller can do, where the photo's own problem decides it. */
  help?: string;
}

/** Submits, waits for the end, and expects the seller's view, the row, the balance and the ledger to match it. */
export async function expectEnd(
  stack: TestStack,
  seller: Seller,
  window: SellerWindow,
  behaviours: Behaviour[],
  end: End,
  form?: Form,
): Promise<void> {
  await stack.images.set({ behaviours });
  const { id } = await seller.submit(form);
  const view = await window.untilEnded(id);
  const row = (await stack.models.generations.findById(id).lean())!;
  const { calls } = await stack.images.state();
  if (end.calls !== undefined) expect(calls).toHaveLength(end.calls);
  if (end.failure === undefined) {
    expect(view).toMatchObject({ state: 'succeeded', failure: null });
    expect(row.provider?.request_id).toBe(calls.at(-1)!.requestId);
  } else {
    expect(view.state).toBe('failed');
    // Only the catalogue's message; the provider's text is not shown to sellers.
    expect(view.failure).toEqual({
      code: end.failure,
      message: failureMessage({ code: end.failure, moderation: end.moderation }),
      help: end.help ?? failureHelp({ code: end.failure }),
      requestId: row.trace?.id,
    });
    expect(row.failure).toMatchObject({
      provider_status: end.status ?? null,
      provider_code: end.code ?? null,
    });
    expect(row.failure!.moderation).toEqual(end.moderation);
    if (end.status) expect(row.failure!.provider_request_id).toBe(calls.at(-1)!.requestId);
  }
  const succeeded = end.failure === undefined;
  expect((await seller.me()).subscription).toMatchObject({
    generationsLeft: succeeded ? 99 : 100,
    generationsHeld: 0,
  });
  // The entry is posted after the seller was told.
  const entries = async () =>
    (await stack.models.creditEntries.find({ key: id }).lean()).map(({ kind }) => kind);
  await expect.poll(entries, eventually).toEqual([succeeded ? 'settle' : 'release']);
}

/** An error reply of the provider. */
export const refused = (
  status: number,
  code: string | null,
  type = 'invalid_request_error',
  headers?: Record<string, string>,
): Behaviour => ({ kind: 'error', status, code, type, ...(headers ? { headers } : {}) });
export const ok: Behaviour = { kind: 'ok' };
export const rateLimited = refused(429, 'rate_limit_exceeded', 'requests');
export const serverError = refused(500, 'server_error', 'server_error');
export const overloaded = refused(503, 'server_is_overloaded', 'server_error');

/** A provider's replies to the calls of a generation, and its end. */
export type ReplyCase = [name: string, behaviours: Behaviour[], end: End];
