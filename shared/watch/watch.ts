import { type PeriodicTask, runPeriodically } from '#shared/platform/periodic-task.ts';
import type { WatchContext } from './context.ts';
import { evaluateAlerts } from './evaluate.ts';
import { tellAlerts } from './notify.ts';
import { sampleMinute } from './sample.ts';
import { sendWebhookCalls } from './webhook.ts';

/** What one round did. */
export interface WatchReport {
  /** 1 if this process stored the figures of the minute. */
  sampled: number;
  alertsBegun: number;
  alertsEnded: number;
  told: number;
  webhookCalls: number;
}

/**
 * One round of watching the installation. Every server and worker runs rounds; the one that stores the figures of a minute
 * also judges the alerts of that minute (docs/decisions/0070-alerts.md).
 */
export async function watchRound(context: WatchContext, now = new Date()): Promise<WatchReport> {
  const sampled = await sampleMinute(context, now);
  const alerts = sampled ? await evaluateAlerts(context, now) : { alertsBegun: 0, alertsEnded: 0 };
  const told = await tellAlerts(context);
  const webhookCalls = await sendWebhookCalls(context);
  const report = { sampled: Number(sampled), ...alerts, told, webhookCalls };
  if (sampled || told > 0) context.relay.publishOperators();
  return report;
}

/** Runs rounds until it is stopped. */
export function watchRegularly(context: WatchContext): PeriodicTask {
  return runPeriodically(
    context.config.worker.upkeepIntervalMs,
    async () => {
      await watchRound(context);
    },
    (error) => context.log.warn({ err: error }, 'a round of watching failed'),
  );
}
