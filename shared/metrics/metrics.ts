import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { generationFailureCodes, unreachableKinds } from '#contract';
import { moderationCategories } from './moderation-category.ts';

/*
 * Every metric of Packshot, for server and worker. Names follow Prometheus: `packshot_`, what is measured, the unit, and
 * `_total` for counters (docs/decisions/0067-metrics.md).
 */

/** The metrics of this process. */
export const registry = new Registry();

const registers = [registry];

/** A gauge that is absent until it is set: prom-client would expose 0 in a process that never sets it. */
function gauge<Label extends string = never>(
  name: string,
  help: string,
  labelNames: Label[] = [],
): Gauge<Label> {
  const made = new Gauge({ name, help, labelNames, registers });
  if (labelNames.length === 0) made.remove();
  return made;
}

const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Counter({ name, help, labelNames, registers });

/** What one generation or one reading belongs to: images that a seller submitted by themselves, or those of a batch. */
export const generationKinds = ['single', 'batch'] as const;

/** The stores that a process needs. */
export type StoreName = 'mongodb' | 'queue' | 'storage';

// Set when the process starts or by each scrape.

export const buildInfo = gauge('packshot_build_info', 'Always 1; the version that runs.', [
  'program',
  'version',
  'node',
]);
export const storeUp = gauge<'store'>(
  'packshot_store_up',
  'Whether a store answered this process in time: 1 or 0.',
  ['store'],
);
export const queueJobs = gauge('packshot_queue_jobs', "Jobs in the queue by BullMQ's state.", ['state']);
export const queuePaused = gauge(
  'packshot_queue_paused',
  'Whether an operator has paused the queue: 1 or 0.',
);
export const oldestWaiting = gauge(
  'packshot_generations_oldest_waiting_seconds',
  'Age of the oldest generation that waits, since it was accepted; 0 if none waits.',
  ['kind'],
);
export const unsettledGenerations = gauge(
  'packshot_generations_unsettled',
  'Generations that have ended and whose hold, ledger entry or mail is not done.',
);
export const heldImages = gauge('packshot_credits_held_images', 'Images held by generations under way.');
export const waitingMails = gauge('packshot_mails_waiting', 'Mails in the outbox that are not sent.');
export const failedMails = gauge(
  'packshot_mails_failed',
  'Mails whose last try failed: those that are tried again, and those that were given up in the last week.',
  ['state'],
);
export const waitingWebhooks = gauge(
  'packshot_webhooks_waiting',
  'Events that wait to be sent to webhooks, or to be sent again.',
);
export const overdueWebhooks = gauge(
  'packshot_webhooks_overdue_seconds',
  'For how long the oldest event has been due that a worker could send now; 0 if there is none.',
);
export const unhandledStripeEvents = gauge(
  'packshot_stripe_events_unhandled',
  'Stripe events that are stored and not handled.',
);
export const oldestStripeEvent = gauge(
  'packshot_stripe_events_oldest_unhandled_seconds',
  'Age of the oldest Stripe event that is not handled; 0 if there is none.',
);
export const providerPaused = gauge(
  'packshot_provider_paused',
  'Whether the image provider refuses calls: 1 or 0, by whether it is busy, cannot be reached or refuses our account.',
  ['kind'],
);
export const providerBreaker = gauge(
  'packshot_provider_breaker',
  'The breaker between workers and image provider: 1 for the state that it is in, 0 for the others.',
  ['state'],
);
export const providerLimit = gauge(
  'packshot_provider_limit',
  'Calls that all workers may make: in the last minute, and at the same time; 0 for no limit.',
  ['limit'],
);
export const providerLimitUsed = gauge(
  'packshot_provider_limit_used',
  'Calls that count towards the limits; 0 where there is no limit.',
  ['limit'],
);
export const providerRefusedCalls = gauge(
  'packshot_provider_refused_calls',
  'Calls that the image provider refused since it last accepted one.',
);
export const providerCostToday = gauge(
  'packshot_provider_cost_today_microdollars',
  'What the calls of today (UTC) cost, and can cost that are under way, in millionths of a US dollar.',
);
export const providerCostCap = gauge(
  'packshot_provider_cost_cap_microdollars',
  'What the calls of a day may cost; absent without a cap.',
);
export const providerCostStopped = gauge(
  'packshot_provider_cost_stopped',
  'Whether images wait because the calls of today cost as much as they may: 1 or 0.',
);
export const providerCostHour = gauge(
  'packshot_provider_cost_hour_microdollars',
  'What the calls of this hour or of the one before cost, whichever cost more (recent), and those of the mean hour of the last week (usual; 0 while too little is known).',
  ['hour'],
);
export const auditFindings = gauge(
  'packshot_audit_findings',
  'What the last audit (`npm run audit`) found; absent before the first one.',
);
export const auditAge = gauge('packshot_audit_age_seconds', 'Time since the last audit ended.');
export const backupFailing = gauge(
  'packshot_backup_failing',
  'Whether a backup of the schedule failed or is missing: 1 or 0; absent without a schedule.',
);
export const backupAge = gauge(
  'packshot_backup_age_seconds',
  'Time since the last complete backup of the schedule ended.',
);
export const workers = gauge('packshot_workers', 'Workers that reported in the last minute.');
export const workerSlots = gauge(
  'packshot_worker_slots',
  'Images that all workers can make at the same time.',
);
export const openSockets = gauge('packshot_sockets_open', 'Sockets that are open on this server.');
export const runningJobs = gauge('packshot_worker_jobs_running', 'Attempts that this worker runs now.');
export const workerConcurrency = gauge(
  'packshot_worker_concurrency',
  'Attempts that this worker runs at the same time at most.',
);

// Counted when it happens.

export const requestDuration = new Histogram({
  name: 'packshot_http_request_duration_seconds',
  help: 'From the first byte of a request to the end of its answer, by the pattern of its route.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});
export const socketConnections = counter(
  'packshot_socket_connections_total',
  'Sockets that asked to connect, by whether they were admitted.',
  ['outcome'],
);
export const providerCallDuration = new Histogram({
  name: 'packshot_provider_call_duration_seconds',
  help: 'Calls to the image provider by outcome (succeeded, or why there is no image) and HTTP status.',
  labelNames: ['outcome', 'status'],
  buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600],
  registers,
});
export const providerCost = counter(
  'packshot_provider_cost_microdollars_total',
  'What calls to the image provider cost, in millionths of a US dollar; kind: exact, or estimated where the provider reported nothing.',
  ['provider', 'model', 'size', 'quality', 'kind'],
);
export const unpricedCalls = counter(
  'packshot_provider_unpriced_calls_total',
  'Calls to the image provider whose cost is unknown, because no price of the model is.',
  ['provider', 'model', 'size', 'quality'],
);
export const endedGenerations = counter(
  'packshot_generations_ended_total',
  'Generations that were settled, by outcome, failure code and kind.',
  ['outcome', 'code', 'kind'],
);
export const generationDuration = new Histogram({
  name: 'packshot_generation_duration_seconds',
  help: 'From accepting a generation to its image, for those that succeeded.',
  labelNames: ['kind'],
  buckets: [1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1_800, 3_600, 14_400],
  registers,
});
export const settledImages = counter(
  'packshot_credits_settled_images_total',
  'Images whose hold has ended: used (settle), made again at no charge (remake), or given back (release).',
  ['kind'],
);
export const unpaidCallsCounted = counter(
  'packshot_unpaid_calls_total',
  'Calls to the image provider that no image pays for, by the end of their generation.',
  ['end'],
);
export const refusedImages = counter(
  'packshot_refusals_total',
  'Images that the moderation of the image service refused, by what it refused (input, output) and why.',
  ['stage', 'category'],
);
export const mailAttempts = counter(
  'packshot_mail_attempts_total',
  'Tries to send a mail: sent, postponed because it failed, given up, or suppressed because mail to its address comes back.',
  ['outcome'],
);
export const webhookAttempts = counter(
  'packshot_webhook_attempts_total',
  'Tries to send an event to a webhook: delivered, postponed because it failed, or given up.',
  ['outcome'],
);
export const mailBounces = counter(
  'packshot_mail_bounces_total',
  'Mails that came back for good (bounce) or were reported as spam (complaint), when they were sent or as the mail provider says.',
  ['source', 'kind'],
);

// A counter that appears with its first event hides that event from `increase` and `rate`, so those whose labels are known
// begin at 0.
for (const kind of generationKinds) {
  generationDuration.zero({ kind });
  for (const outcome of ['succeeded', 'cancelled']) endedGenerations.inc({ outcome, code: 'none', kind }, 0);
  for (const code of generationFailureCodes) endedGenerations.inc({ outcome: 'failed', code, kind }, 0);
}
for (const kind of ['settle', 'remake', 'release']) settledImages.inc({ kind }, 0);
for (const end of ['failed', 'cancelled']) unpaidCallsCounted.inc({ end }, 0);
for (const stage of ['input', 'output', 'unknown']) {
  for (const category of moderationCategories) refusedImages.inc({ stage, category }, 0);
}
for (const outcome of ['admitted', 'refused']) socketConnections.inc({ outcome }, 0);
for (const source of ['sending', 'provider']) {
  for (const kind of unreachableKinds) mailBounces.inc({ source, kind }, 0);
}
for (const outcome of ['delivered', 'postponed', 'given_up']) webhookAttempts.inc({ outcome }, 0);
for (const outcome of ['sent', 'postponed', 'given_up', 'suppressed']) mailAttempts.inc({ outcome }, 0);
