import {
  type OperatorSeriesRange,
  operatorNowSchema,
  operatorPaths,
  operatorReasonOnlySchema,
  operatorSeriesQuerySchema,
  operatorSeriesSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { listMinutes } from '#shared/data/operator/minutes.ts';
import { createStoreRead } from '#shared/metrics/store-read.ts';
import { AppError } from '#shared/platform/errors.ts';
import { tryProviderAgain } from '#shared/provider/flow.ts';
import { type SeriesRange, seriesOf } from '#shared/watch/series.ts';
import { readStatus } from './read-status.ts';
import { runLogged } from './run-logged.ts';

const minuteMs = 60_000;

/** What a chart shows, and how often it is read at most, in ms: a week has ten thousand rows, which take half a second. */
const ranges: Readonly<Record<OperatorSeriesRange, SeriesRange & { everyMs: number }>> = {
  '1h': { rangeMs: 60 * minuteMs, stepMs: minuteMs, everyMs: 10_000 },
  '24h': { rangeMs: 1_440 * minuteMs, stepMs: 5 * minuteMs, everyMs: minuteMs },
  '7d': { rangeMs: 10_080 * minuteMs, stepMs: 30 * minuteMs, everyMs: 5 * minuteMs },
};

/** How long a series is waited for, in ms. */
const deadlineMs = 5_000;

/** How the installation is now and was before, and the operator's way to end a pause of the provider. */
export async function operatorNowRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, log } = context;
  const report = (error: unknown) => log.warn({ err: error }, 'the series of the charts was not read');
  const readSeries = (range: OperatorSeriesRange) =>
    createStoreRead(
      async () => {
        const now = new Date();
        // One step more, because the first one of the chart began before.
        const { rangeMs, stepMs } = ranges[range];
        const since = new Date(now.getTime() - rangeMs - stepMs);
        return seriesOf(await listMinutes(db, since), ranges[range], now);
      },
      report,
      { everyMs: ranges[range].everyMs, deadlineMs },
    );
  const series = { '1h': readSeries('1h'), '24h': readSeries('24h'), '7d': readSeries('7d') };

  app.get(
    operatorPaths.now,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getStatus',
        tags: ['operator'],
        summary: 'How the installation is now, for operators',
        response: { 200: operatorNowSchema, ...errorReplies(401, 403) },
      },
    },
    () => readStatus(context),
  );

  app.get(
    operatorPaths.series,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getSeries',
        tags: ['operator'],
        summary: 'Figures over the last hour, day or week, for charts',
        querystring: operatorSeriesQuerySchema,
        response: { 200: operatorSeriesSchema, ...errorReplies(400, 401, 403, 503) },
      },
    },
    async ({ query: { range } }) => {
      const read = await series[range]();
      if (!read) throw new AppError('UNAVAILABLE');
      return read;
    },
  );

  app.post(
    operatorPaths.tryProvider,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'tryProvider',
        tags: ['operator'],
        summary: 'Call the image provider again now',
        description:
          'Ends a pause before its time. If the provider refuses the next call, a new pause begins.',
        body: operatorReasonOnlySchema,
        response: { 200: operatorNowSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async ({ operator, body: { reason } }) => {
      const logged = { action: 'try-provider', target: { kind: 'provider', id: 'images' }, reason } as const;
      await runLogged(context, operator, logged, () => tryProviderAgain(context));
      return readStatus(context);
    },
  );
}
