import type { Queue } from 'bullmq';
import { limits } from '#contract';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { accountOf } from '#shared/data/test-seller.ts';
import {
  claimDelivery,
  earlierDue,
  endWaiting,
  findOverdue,
  nextDue,
  putOff,
  removeDeliveriesOf,
} from '#shared/data/webhooks/deliveries.ts';
import {
  findAnyWebhook,
  releaseEndpoint,
  renewEndpoint,
  takeEndpoint,
  type WebhookEndpointRow,
} from '#shared/data/webhooks/endpoints.ts';
import { createOutbound, type Outbound } from '#shared/outbound/outbound.ts';
import { logConnectionErrors } from '#shared/platform/log-connection-errors.ts';
import { openNamedQueue, openNamedWorker } from '#shared/platform/queue.ts';
import { version } from '#shared/platform/version.ts';
import { type DeliveryContext, deliver } from './deliver.ts';

/** Endpoints that one worker sends to at the same time: each waits for an answer most of the time. */
const usualSlots = 100;

/** Lease of an endpoint and of what is sent to it, in ms: longer than a try may take. */
const leaseMs = limits.webhookSeconds * 1_000 + 20_000;

/** Events that are sent to an endpoint before the next endpoint has its turn. */
export const turnEvents = 50;
/** Time after which another endpoint has its turn, in ms: one that answers slowly and well takes as little as one that hangs. */
const turnMs = limits.webhookSeconds * 1_000;

/** Endpoints of one account that one worker sends to at the same time. */
export const accountTurns = 5;

/** How late something must be before upkeep adds a job for it, in ms. */
const overdueMs = 10_000;

/** What tests replace. */
interface DeliveryOptions {
  outbound?: Outbound;
  slots?: number;
}

const outboundOf = ({ config }: DeliveryContext): Outbound =>
  createOutbound({
    proxy: config.outboundProxy,
    userAgent: `Packshot/${version} (+${config.linkUrl})`,
    seconds: limits.webhookSeconds,
    silentSeconds: limits.webhookSeconds,
    toLoopback: config.webhooks.toLoopback,
  });

/** The data of a job: the row in MongoDB says what is sent. */
interface WebhookJob {
  endpointId: string;
}

/** Sends events to webhooks (docs/decisions/0136-webhooks.md). */
export interface WebhookDelivery {
  ready(): Promise<void>;
  /** Adds a job for an endpoint. Idempotent by the key. */
  nudge(endpointId: string, key: string): void;
  /** Adds jobs for what is late: the job was lost, or its worker died. @returns for how many endpoints */
  mend(): Promise<{ webhooksMended: number }>;
  /** Takes no more jobs, and waits for events under way, within the worker's grace period. */
  stop(): Promise<void>;
}

/**
 * Starts sending events to webhooks. A job is a turn of one endpoint; one worker sends to it at a time, one event after the
 * other, and the other endpoints have turns of their own. Delivery is at-least-once.
 */
export function startWebhookDelivery(
  context: DeliveryContext,
  { outbound = outboundOf(context), slots = usualSlots }: DeliveryOptions = {},
): WebhookDelivery {
  const { config, db, log } = context;
  const name = `${config.queueName}-webhooks`;
  const queue: Queue<WebhookJob, string, 'turn'> = openNamedQueue(config.queueUrl, name, {
    // The rows have the outcome, and upkeep adds what is missing.
    defaultJobOptions: { attempts: 1, stackTraceLimit: 1, removeOnComplete: true, removeOnFail: true },
  });
  const jobs = openNamedWorker<WebhookJob, string, 'turn'>(
    config.queueUrl,
    name,
    async ({ data }) => {
      await takeTurn(data.endpointId);
      return 'done';
    },
    {
      concurrency: slots,
      lockDuration: config.worker.lockMs,
      stalledInterval: config.worker.lockMs,
      maxStalledCount: 1_000,
    },
  );
  logConnectionErrors(queue, 'webhook queue', log);
  logConnectionErrors(jobs, 'webhook queue worker', log);
  jobs.on('failed', (job, error) =>
    log.error({ err: error, webhook: job?.data.endpointId }, 'a turn failed'),
  );
  const closing = new AbortController();
  let isStopped = false;
  /** Accounts with turns under way: how many, and endpoints that wait until one of these has ended. */
  const accounts = new Map<string, { turns: number; waiting: Set<string> }>();

  async function addJob(endpointId: string, key: string, delay = 0): Promise<void> {
    await queue.add('turn', { endpointId }, { jobId: `${endpointId}-${key}`, delay });
  }

  const nudge = (endpointId: string, key: string) =>
    void addJob(endpointId, key).catch((error) =>
      log.warn({ err: error, webhook: endpointId }, 'a job of a webhook was not added; upkeep will'),
    );

  /** Sends what is due to an endpoint, unless another worker does. */
  async function takeTurn(endpointId: string): Promise<void> {
    const endpoint = await takeEndpoint(db, endpointId, leaseMs);
    if (!endpoint) return endForgotten(endpointId, await findAnyWebhook(db, endpointId));
    let holder = endpoint;
    const accountId = accountOf(endpoint.profile);
    const account = accounts.get(accountId) ?? { turns: 0, waiting: new Set() };
    if (account.turns >= accountTurns) {
      account.waiting.add(endpointId);
      return releaseEndpoint(db, endpoint);
    }
    accounts.set(accountId, account);
    account.turns += 1;
    try {
      const profile = await findActiveProfile(db, accountId);
      if (!profile || profile.disabled_at) return await endWaiting(db, endpointId);
      const until = performance.now() + turnMs;
      for (let sent = 0; sent < turnEvents && performance.now() < until && !isStopped; sent += 1) {
        const renewed = await renewEndpoint(db, holder, leaseMs);
        if (!renewed) break;
        holder = renewed;
        if (!(await sendNext(holder))) break;
      }
    } finally {
      account.turns -= 1;
      // The last turn calls all that wait: another worker may take the job of one, and then nothing here calls the others.
      for (const id of [...account.waiting].slice(0, account.turns === 0 ? undefined : 1)) {
        account.waiting.delete(id);
        nudge(id, `called-${Date.now()}`);
      }
      if (account.turns === 0) accounts.delete(accountId);
      await releaseEndpoint(db, holder);
    }
    // Read after the lease was given back: whoever found it taken until then has added something before.
    await addNextTurn(endpointId);
  }

  /** @returns whether another event may follow */
  async function sendNext(endpoint: WebhookEndpointRow): Promise<boolean> {
    const delivery = await claimDelivery(db, endpoint._id, leaseMs);
    if (!delivery) return false;
    const earlier = await earlierDue(db, delivery);
    if (earlier) {
      await putOff(db, delivery, new Date(Math.max(earlier.getTime(), Date.now()) + 1));
      return true;
    }
    try {
      return await deliver(context, outbound, endpoint, delivery, closing.signal);
    } catch (error) {
      // Nothing was sent, or nobody waited for the answer: it is no try of the receiver's.
      await putOff(db, delivery, new Date(Date.now() + leaseMs));
      throw error;
    }
  }

  async function addNextTurn(endpointId: string): Promise<void> {
    const [due, endpoint] = await Promise.all([nextDue(db, endpointId), findAnyWebhook(db, endpointId)]);
    if (!due) return;
    if (!endpoint || endpoint.off) return endForgotten(endpointId, endpoint);
    const at = Math.max(due.getTime(), endpoint.rest_until?.getTime() ?? 0);
    const delay = Math.max(0, at - Date.now());
    // A turn that comes at once must not have the id of this one, which is still there.
    await addJob(endpointId, delay > 0 ? `at-${at}` : `next-${Date.now()}`, delay);
  }

  /** Ends what waits for an endpoint that is off, or was deleted while an event was recorded for it. */
  async function endForgotten(endpointId: string, endpoint: WebhookEndpointRow | null): Promise<void> {
    if (!endpoint) await removeDeliveriesOf(db, endpointId);
    else if (endpoint.off) await endWaiting(db, endpointId);
  }

  return {
    async ready() {
      await Promise.all([queue.waitUntilReady(), jobs.waitUntilReady()]);
    },
    nudge,
    async mend() {
      const overdue = await findOverdue(db, new Date(Date.now() - overdueMs), 500);
      for (const { endpoint, since } of overdue) await addJob(endpoint, `late-${since.getTime()}`);
      return { webhooksMended: overdue.length };
    },
    async stop() {
      isStopped = true;
      const abort = setTimeout(() => closing.abort(new Error('this worker closes')), config.worker.graceMs);
      await jobs.close().finally(() => clearTimeout(abort));
      await queue.close();
    },
  };
}
