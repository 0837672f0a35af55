import type { GivenSettings } from '#shared/platform/settings.ts';
import type { Replacement } from './replace-source.ts';

const age = (name: string, usual: string, short: string): Replacement => ({
  file: 'worker/upkeep/upkeep.ts',
  text: `  ${name}: ${usual},`,
  by: `  ${name}: ${short},`,
});

export const shortTimes: readonly Replacement[] = [
  age('requestMs', '120_000', '2_500'),
  age('settlementMs', '5_000', '400'),
  age('jobMs', '10_000', '600'),
  age('previewsMs', '60_000', '1_500'),
  age('eventMs', '30_000', '600'),
  age('uploadMs', '2 * serverLimits.bodySecondsMost * 1_000', '4_000'),
  {
    file: 'shared/platform/retention.ts',
    text: 'settings.KEEP_TRASH_DAYS * 86_400_000',
    by: '600',
  },
  { file: 'worker/upkeep/upkeep.ts', text: 'trashMarginMs = 60_000', by: 'trashMarginMs = 500' },
  { file: 'shared/platform/retry.ts', text: 'firstDelayMs = 30_000', by: 'firstDelayMs = 300' },
  { file: 'shared/platform/retry.ts', text: 'longestDelayMs = 3_600_000', by: 'longestDelayMs = 1_000' },
  {
    file: 'worker/jobs.ts',
    text: '[firstBackoffMs, longestBackoffMs] = [1_000, 30_000]',
    by: '[firstBackoffMs, longestBackoffMs] = [100, 800]',
  },
  { file: 'worker/generate/generate.ts', text: 'shortestDelayMs = 1_000', by: 'shortestDelayMs = 100' },
  { file: 'worker/flow/retry-policy.ts', text: 'longestPauseMs = 120_000', by: 'longestPauseMs = 1_000' },
  { file: 'worker/generate/store-image.ts', text: 'firstPauseMs = 250', by: 'firstPauseMs = 50' },
  { file: 'worker/generate/store-image.ts', text: 'longestPauseMs = 15_000', by: 'longestPauseMs = 400' },
  { file: 'worker/mails/mail-delivery.ts', text: 'leaseMs = 120_000', by: 'leaseMs = 3_000' },
  { file: 'shared/billing/events.ts', text: 'leaseMs = 60_000', by: 'leaseMs = 2_500' },
  { file: 'server/billing/subscribe.ts', text: 'leaseMs = 180_000', by: 'leaseMs = 4_000' },
  { file: 'server/billing/subscribe.ts', text: 'purchaseMs = 100_000', by: 'purchaseMs = 2_500' },
  {
    file: 'shared/platform/queue.ts',
    text: 'stalledInterval: config.worker.lockMs',
    by: 'stalledInterval: 300',
  },
  { file: 'shared/storage/folder-storage.ts', text: 'probeEveryMs = 1_000', by: 'probeEveryMs = 100' },
  {
    file: 'shared/storage/s3-access.ts',
    text: 'connectMs: 3_000, replyMs: 10_000, tries: 3, pauseMs: 200',
    by: 'connectMs: 500, replyMs: 1_000, tries: 3, pauseMs: 50',
  },
  { file: 'shared/storage/s3-storage.ts', text: 'checkEveryMs = 1_000', by: 'checkEveryMs = 100' },
];

/** Settings with short times, so that a run needs seconds. */
export const quick: GivenSettings = {
  WORKER_CONCURRENCY: '4',
  WORKER_LOCK_MS: '1500',
  WORKER_GRACE_MS: '500',
  UPKEEP_INTERVAL_MS: '300',
  PROVIDER_BACKOFF_MS: '30',
  PROVIDER_TIMEOUT_MS: '3000',
  PROVIDER_STALL_MS: '1000',
  PROVIDER_BUSY_WAIT_MS: '6000',
  PROVIDER_ACCOUNT_WAIT_MS: '6000',
  BATCH_WINDOW: '3',
  STORAGE_RESERVE_MB: '8',
};

/** How long the provider takes for an image, in ms: long enough to be cancelled, and to be interrupted. */
export const usualProviderMs = 50;
