/** Receivers whose clock is wrong, which verify with the library of Standard Webhooks. */
import { afterAll, expect, vi } from 'vitest';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { frequentUpkeep } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import {
  deliveriesTo,
  makeLate,
  makeWebhook,
  type Received,
  sendTest,
  startWebhookReceiver,
  verified,
} from '#tests/support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

const test = testWithSeller({ settings: { ...frequentUpkeep, WEBHOOKS_TO_LOOPBACK: 'true' } });

/** What the library makes of a request when it arrives, by a clock that is so many minutes wrong. */
function verifiedBy(minutes: number, request: Received, secret: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: request.at + minutes * 60_000 });
  try {
    return verified(request, secret);
  } finally {
    vi.useRealTimers();
  }
}

test(
  'a clock that is a few minutes wrong is no matter; a wrong one refuses, and takes the event once it is right',
  async ({ stack, seller }) => {
    receiver.ways.set('/clock', [{ status: 400 }, { status: 204 }]);
    const { id, secret } = await makeWebhook(seller, receiver.url('/clock'));
    const { eventId } = await sendTest(seller, id);
    await expect
      .poll(async () => (await deliveriesTo(seller, id)).map(({ tries }) => tries.length), eventually)
      .toEqual([1]);
    const [refused] = receiver.at('/clock') as [Received];
    for (const minutes of [-4, 0, 4]) {
      expect(verifiedBy(minutes, refused, secret).timestamp).toEqual(expect.any(String));
    }
    expect(() => verifiedBy(-6, refused, secret)).toThrow('too new');
    expect(() => verifiedBy(6, refused, secret)).toThrow('too old');

    await makeLate(stack, id);
    await expect.poll(async () => (await deliveriesTo(seller, id))[0]!.state, eventually).toBe('delivered');
    const again = receiver.at('/clock').at(-1)!;
    expect(again.headers['webhook-id']).toBe(eventId);
    expect(again.body).toBe(refused.body);
    expect(verifiedBy(0, again, secret)).toEqual(verifiedBy(0, refused, secret));
    // What somebody kept and sends again an hour later is refused.
    expect(() => verifiedBy(60, again, secret)).toThrow('too old');
  },
  limitMs(60_000),
);
