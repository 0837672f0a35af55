import {
  type OperatorCostLine,
  type OperatorCosts,
  type OperatorCostsDays,
  operatorCostsQuerySchema,
  operatorCostsSchema,
  operatorPaths,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import {
  type CostGroup,
  findCostDay,
  type SellerCosts,
  sumCosts,
  sumCostsOfSellers,
} from '#shared/data/costs/provider-costs.ts';
import { findAddresses } from '#shared/data/profiles/find.ts';
import { createStoreRead } from '#shared/metrics/store-read.ts';
import { dayMs, dayOf, nextDay } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';
import { findPrice, isBilled } from '#shared/platform/image-prices.ts';

/** How often the calls of so many days are summed up at most, in ms: those of a month may be a hundred thousand. */
const everyMs: Readonly<Record<OperatorCostsDays, number>> = { '1': 4_000, '7': 30_000, '31': 120_000 };

/** How long a sum is waited for, in ms. */
const deadlineMs = 10_000;

const sellersShown = 20;

/** What images cost us, for operators. */
export async function operatorCostRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, config, log } = context;
  const report = (error: unknown) => log.warn({ err: error }, 'what images cost was not read');
  const readSums = (days: OperatorCostsDays) =>
    createStoreRead(
      async () => {
        const until = nextDay(new Date());
        const from = new Date(until.getTime() - Number(days) * dayMs);
        const [groups, sellers] = await Promise.all([
          sumCosts(db, from, until),
          sumCostsOfSellers(db, from, until, sellersShown),
        ]);
        return { groups, sellers };
      },
      report,
      { everyMs: everyMs[days], deadlineMs },
    );
  const sums = { '1': readSums('1'), '7': readSums('7'), '31': readSums('31') };

  async function presentSellers(sellers: readonly SellerCosts[]): Promise<OperatorCosts['sellers']> {
    const addresses = await findAddresses(
      db,
      sellers.flatMap(({ seller }) => seller ?? []),
    );
    return sellers.map(({ seller: id, calls, amount }) => ({
      id,
      email: addresses.get(id ?? '') ?? '',
      calls,
      amount,
    }));
  }

  app.get(
    operatorPaths.costs,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getCosts',
        tags: ['operator'],
        summary: 'What the calls to the image provider cost',
        description:
          'By day, model, size and quality, and by seller. Amounts are in millionths of a US dollar.',
        querystring: operatorCostsQuerySchema,
        response: { 200: operatorCostsSchema, ...errorReplies(400, 401, 403, 503) },
      },
    },
    async ({ query: { days } }): Promise<OperatorCosts> => {
      const now = new Date();
      const [read, today] = await Promise.all([sums[days](), findCostDay(db, now)]);
      if (!read) throw new AppError('UNAVAILABLE');
      const { provider, model, prices, dailyCap: cap } = config.image;
      const price = findPrice(prices, model, dayOf(now));
      const open = Object.values(today?.open ?? {});
      return {
        billed: isBilled(provider),
        model,
        price: price && {
          from: price.from,
          textInput: price.textInput,
          imageInput: price.imageInput,
          imageOutput: price.imageOutput,
        },
        today: {
          day: dayOf(now),
          total: today?.total ?? 0,
          underWay: open.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
          callsUnderWay: open.length,
          cap,
          stoppedUntil: today?.stopped_at ? nextDay(now).toISOString() : null,
        },
        lines: linesOf(read.groups),
        sellers: await presentSellers(read.sellers),
      };
    },
  );
}

/** One line for each kind and day, the newest day first, then what cost most. */
function linesOf(groups: readonly CostGroup[]): OperatorCostLine[] {
  const lines = new Map<string, OperatorCostLine>();
  for (const { day, provider, model, size, quality, state, result, calls, amount } of groups) {
    const key = [day, provider, model, size, quality].join(' ');
    const line = lines.get(key) ?? {
      day,
      provider,
      model,
      size,
      quality,
      calls: 0,
      images: 0,
      amount: 0,
      estimated: 0,
      unknown: 0,
    };
    lines.set(key, line);
    line.calls += calls;
    line.amount += amount;
    if (result === 'image') line.images += calls;
    if (state === 'estimated') line.estimated += amount;
    if (state === 'unknown') line.unknown += calls;
  }
  return [...lines.values()].toSorted(
    (one, other) => other.day.localeCompare(one.day) || other.amount - one.amount,
  );
}
