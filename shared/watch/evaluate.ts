import { type AlertKind, alertKinds } from '#contract';
import { listRefusedSellers } from '#shared/data/generations/refusals.ts';
import { findWaitingSince } from '#shared/data/generations/waiting.ts';
import { findFailingMails } from '#shared/data/mails.ts';
import {
  type AlertRow,
  beginAlert,
  continueAlert,
  endAlert,
  listAlerts,
} from '#shared/data/operator/alerts.ts';
import { findAuditResult } from '#shared/data/operator/audit-results.ts';
import { findBackupResult } from '#shared/data/operator/backup-results.ts';
import { listMinutes } from '#shared/data/operator/minutes.ts';
import { forgetWorkersBefore, listSeenWorkers } from '#shared/data/queue/seen-workers.ts';
import { listServers } from '#shared/data/queue/server-reports.ts';
import { listWorkers } from '#shared/data/queue/worker-slots.ts';
import { beginOfDay } from '#shared/platform/days.ts';
import { firstBatchPriority } from '#shared/platform/priorities.ts';
import { readProviderFlow } from '#shared/provider/flow.ts';
import { alertStep } from './alert-step.ts';
import { conditionsOf, type Facts, factsMs } from './conditions.ts';
import type { WatchContext } from './context.ts';
import { rememberedMs } from './gone-workers.ts';
import { readSpending } from './spending.ts';

/** What a round did. */
export interface EvaluationReport {
  alertsBegun: number;
  alertsEnded: number;
}

/** Begins, continues and ends alerts by what is true now. Each change is a compare-and-set. */
export async function evaluateAlerts(context: WatchContext, now: Date): Promise<EvaluationReport> {
  const { db, config } = context;
  const [facts, alerts] = await Promise.all([readFacts(context, now), listAlerts(db)]);
  const conditions = conditionsOf(facts, config.alerts, now);
  const known = new Map(alerts.map((alert) => [alert._id, alert]));
  const report: EvaluationReport = { alertsBegun: 0, alertsEnded: 0 };
  for (const kind of alertKinds) {
    const done = await apply(context, kind, known.get(kind), conditions[kind], now);
    if (done === 'begun') report.alertsBegun += 1;
    if (done === 'ended') report.alertsEnded += 1;
  }
  return report;
}

async function apply(
  { db, log, config }: WatchContext,
  kind: AlertKind,
  alert: AlertRow | undefined,
  details: string | undefined,
  now: Date,
): Promise<'begun' | 'ended' | undefined> {
  const step = alertStep(alert, details !== undefined, config.alerts.reminderMs, now);
  if (step === 'begin') {
    if (!(await beginAlert(db, kind, now, details!))) return undefined;
    log.error({ alert: kind, details }, 'an alert began');
    return 'begun';
  }
  const active = alert as AlertRow & { since: Date };
  if (step === 'continue' || step === 'remind') {
    await continueAlert(db, active, now, { details: details!, remind: step === 'remind' });
  }
  if (step !== 'end' || !(await endAlert(db, active, now))) return undefined;
  log.info({ alert: kind, since: active.since }, 'an alert ended');
  return 'ended';
}

async function readFacts({ db, config }: WatchContext, now: Date): Promise<Facts> {
  await forgetWorkersBefore(db, new Date(now.getTime() - rememberedMs));
  const [minutes, provider, waiting, audit, backup, servers, slots, workers, mails, spending, refused] =
    await Promise.all([
      listMinutes(db, new Date(now.getTime() - factsMs)),
      readProviderFlow(db),
      findWaitingSince(db, firstBatchPriority),
      findAuditResult(db),
      findBackupResult(db),
      listServers(db),
      listWorkers(db),
      listSeenWorkers(db),
      findFailingMails(db),
      readSpending(db, config.image.dailyCap, now),
      listRefusedSellers(db, beginOfDay(now), 10),
    ]);
  const reports = [...servers, ...slots].flatMap(({ report }) => (report ? [report] : []));
  return {
    minutes,
    provider,
    waitingSince: waiting.single,
    audit,
    backup,
    reports,
    workers,
    mails,
    spending,
    refused,
  };
}
