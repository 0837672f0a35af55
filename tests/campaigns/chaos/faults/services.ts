/** Faults of services that answer, but wrongly; and of what stores hold. */
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { Behaviour } from '#local/openai/control-client.ts';
import type { ProxiedStack } from '#tests/campaigns/support/stack.ts';
import type { Fault } from '../fault.ts';
import { usualProviderMs } from '../short-times.ts';

const controlRetryMs = 100;

/** Sends something to a stand-in that another fault may have killed: that one starts it again. */
async function untilReached<Value>(step: () => Promise<Value>): Promise<Value> {
  for (let left = 100; ; left -= 1) {
    try {
      return await step();
    } catch (error) {
      if (left === 1) throw error;
      await wait(controlRetryMs);
    }
  }
}

/** Calls to the provider behave like this while the fault lasts. */
const provider = (name: string, behaviour: Behaviour): Fault => ({
  name,
  hop: 'provider',
  async begin({ images }) {
    await untilReached(() => images.set({ default: behaviour }));
    return async () => {
      await untilReached(() => images.set({ default: { kind: 'slow', ms: usualProviderMs } }));
      await images.release();
    };
  },
});

const error = (status: number, code: string, type: string): Behaviour => {
  return { kind: 'error', status, code, type };
};

/** Stripe delivers webhooks in another way. */
const webhooks = (
  name: string,
  settings: { copies?: number; order?: { shuffle: number }; hold?: boolean },
): Fault => ({
  name,
  hop: 'Stripe → server',
  async begin({ stripe }) {
    await untilReached(() => stripe.set({ webhooks: { ...settings, parallel: 4 } }));
    return async () => {
      await untilReached(() => stripe.reset());
    };
  },
});

/** Some calls to Stripe fail: half of them were executed all the same. */
const stripeErrors: Fault = {
  name: 'stripe-errors',
  hop: 'Stripe',
  async begin({ stripe }, random) {
    const faults = Array.from({ length: 6 }, () => ({
      when: random.pick(['before', 'after'] as const),
      ...(random.chance(0.5) && { status: 500 }),
    }));
    await untilReached(() => stripe.set({ faults }));
    return async () => {
      await untilReached(() => stripe.reset());
    };
  },
};

const busyMail: Fault = {
  name: 'mail-busy',
  hop: 'mail service',
  async begin({ mails }, random) {
    const behaviour = random.pick(['busy', 'drop'] as const);
    await untilReached(() => mails.behave({ behaviour }));
    return () => untilReached(() => mails.behave({ behaviour: 'ok' }));
  },
};

/** The queue loses everything that it holds. */
const flushQueue: Fault = {
  name: 'flush-queue',
  hop: 'queue',
  async begin(stack) {
    // The store may be away because of another fault: then it loses nothing.
    await flush(stack).catch(() => {});
    return async () => {};
  },
};

async function flush({ queue, config }: ProxiedStack): Promise<void> {
  if (queue === 'redis') {
    const redis = new Redis(config.queueUrl, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => {});
    try {
      await redis.connect();
      await redis.flushall();
    } finally {
      redis.disconnect();
    }
    return;
  }
  const client = new Client({
    connectionString: config.queueUrl,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ schema: string }>(
      "SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'job'",
    );
    for (const { schema } of rows) await client.query(`DELETE FROM "${schema}".job`);
  } finally {
    await client.end();
  }
}

export const serviceFaults: readonly Fault[] = [
  provider('provider-errors', error(500, 'server_error', 'server_error')),
  provider('provider-busy', {
    ...error(429, 'rate_limit_exceeded', 'requests'),
    headers: { 'retry-after-ms': '50' },
  } as Behaviour),
  provider('provider-stalls', { kind: 'stall' }),
  provider('provider-cuts', { kind: 'cut' }),
  provider('provider-truncates', { kind: 'truncate' }),
  provider('provider-nonsense', { kind: 'invalid-response', what: 'not-an-image' }),
  provider('provider-holds', { kind: 'hold', after: 'previews' }),
  webhooks('webhooks-twice', { copies: 3 }),
  webhooks('webhooks-shuffled', { order: { shuffle: 7 } }),
  webhooks('webhooks-late', { hold: true }),
  stripeErrors,
  busyMail,
  flushQueue,
];
