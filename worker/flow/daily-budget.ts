import {
  type CallCostRow,
  type CallEnd,
  callCostId,
  endCost,
  endLostCosts,
  type ReservedCall,
  recordCostStop,
  releaseCost,
  reserveCost,
} from '#shared/data/costs/provider-costs.ts';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { countProviderCost } from '#shared/metrics/provider-cost.ts';
import type { Config } from '#shared/platform/config.ts';
import { dayOf, nextDay } from '#shared/platform/days.ts';
import { findPrice, isBilled, type ModelPrice } from '#shared/platform/image-prices.ts';
import { costOf, mostTokens, tokensOf } from '#shared/platform/image-tokens.ts';
import type { Log } from '#shared/platform/log.ts';
import type { ProviderError } from '#worker/providers/provider.ts';
import type { Obstacle } from './obstacle.ts';
import { failures, mayBeBilled } from './retry-policy.ts';

/*
 * What calls to the image provider cost, and the cap of a day (docs/decisions/0099-what-images-cost.md). Each call reserves the
 * most that it can cost before it is made. A worker whose call is refused takes no further jobs until the next day, or until
 * one of its own calls has cost less than was reserved.
 */

/** What was reserved for a call. One of its functions is called once; none of them fails. */
export interface ReservedCost {
  /** The call ended. @param usage what the provider reported; undefined if it did not answer with an image */
  end(result: 'image' | ProviderError, usage?: unknown): Promise<void>;
  /** The call was not sent. */
  release(): Promise<void>;
}

export interface DailyBudget {
  /** Reserves what a call can cost. @returns the obstacle if the day has not as much left */
  reserve(row: GenerationRow, prompt: string): Promise<ReservedCost | Obstacle>;
  /** Calls the listener when no call may be made any more, and when calls may be made again. */
  onStop(listener: (stopped: boolean) => void): void;
  /** Calls the listener no more. */
  stop(): void;
}

/** Whether a reservation was refused. */
export const isObstacle = (reserved: ReservedCost | Obstacle): reserved is Obstacle =>
  'waitingFor' in reserved;

/** What has no price costs nothing: nothing is written. */
const nothing: ReservedCost = { async end() {}, async release() {} };

/** A postponed job goes back to the queue after this time, in ms: other workers may have another cap. */
const handBackMs = 1_000;

interface BudgetContext {
  db: Db;
  config: Pick<Config, 'image'>;
  log: Log;
  /** The time; a test gives another one. */
  clock?: () => Date;
}

/** Watches what the calls of a worker cost. */
export function openDailyBudget({ db, config, log, clock = () => new Date() }: BudgetContext): DailyBudget {
  const { provider, model, previews, prices, dailyCap: cap } = config.image;
  let listener: (stopped: boolean) => void = () => {};
  let stopped: NodeJS.Timeout | undefined;

  function resume(): void {
    if (!stopped) return;
    clearTimeout(stopped);
    stopped = undefined;
    listener(false);
  }

  async function refuse(at: Date): Promise<Obstacle> {
    const since = await recordCostStop(db, at);
    const until = nextDay(at);
    if (!stopped) {
      log.error({ cap, until }, 'the calls of today cost as much as PROVIDER_DAILY_CAP allows: images wait');
      listener(true);
    }
    clearTimeout(stopped);
    stopped = setTimeout(resume, until.getTime() - clock().getTime());
    stopped.unref();
    return {
      waitingFor: 'budget',
      reason: 'the calls of today cost as much as they may',
      since,
      until: new Date(Date.now() + handBackMs),
      // It never fails because of this: the seller can do nothing about it, and the next day comes.
      longestMs: Number.POSITIVE_INFINITY,
      code: failures.account,
    };
  }

  return {
    async reserve(row, prompt) {
      if (!isBilled(provider)) return nothing;
      const at = clock();
      const price = findPrice(prices, model, dayOf(at));
      const call = reservedCall(row, { provider, model, at, price, prompt, previews });
      const id = callCostId(row._id, row.fence);
      if (!(await reserveCost(db, id, call, cap))) return refuse(at);
      resume();
      return reservation({ db, log, id, call, price, onRoom: resume });
    },
    onStop(call) {
      listener = call;
    },
    stop() {
      listener = () => {};
      clearTimeout(stopped);
    },
  };
}

type CallDetails = Pick<Config['image'], 'provider' | 'model' | 'previews'> & {
  at: Date;
  price: ModelPrice | null;
  prompt: string;
};

function reservedCall(
  { _id: generation, profile: seller, options: { width, height }, quality, photos, change }: GenerationRow,
  { provider, model, at, price, prompt, previews }: CallDetails,
): ReservedCall {
  const pictures = photos.length + (change ? 1 : 0) + (change?.mask_key ? 1 : 0);
  const tokens = mostTokens({ model, width, height, quality, pictures, prompt, previews });
  const amount = price && costOf(tokens, price);
  return { generation, seller, provider, model, size: `${width}x${height}`, quality, at, amount };
}

interface Reservation {
  db: Db;
  log: Log;
  id: string;
  call: ReservedCall;
  price: ModelPrice | null;
  /** Called when something of what was reserved is given back. */
  onRoom(): void;
}

function reservation({ db, log, id, call, price, onRoom }: Reservation): ReservedCost {
  const written = async (write: Promise<void>) => {
    try {
      await write;
      onRoom();
    } catch (error) {
      // Upkeep keeps what was reserved as an estimate.
      log.warn({ err: error, generation: call.generation }, 'what a call cost was not written');
    }
  };
  return {
    async end(result, usage) {
      if (result !== 'image' && usage === undefined && !isMaybeBilled(result)) {
        return written(releaseCost(db, id, call));
      }
      const end = endOf(call, price, result === 'image' ? result : result.kind, usage);
      if (end.amount !== null && call.amount !== null && end.amount > call.amount) {
        log.warn(
          { generation: call.generation, model: call.model, reserved: call.amount, cost: end.amount },
          'a call cost more than was reserved for it',
        );
      }
      countProviderCost({ ...call, ...end });
      await written(endCost(db, id, call, end));
    },
    release: () => written(releaseCost(db, id, call)),
  };
}

/** Whether a call without an image may have to be paid for. Whether one that its moderation stopped late has is not known. */
function isMaybeBilled({ kind, moderation }: ProviderError): boolean {
  return mayBeBilled(kind) || kind === 'aborted' || (kind === 'content' && moderation?.stage === 'output');
}

/** @param usage undefined if the provider did not say */
function endOf(call: ReservedCall, price: ModelPrice | null, result: string, usage: unknown): CallEnd {
  const tokens = tokensOf(usage);
  if (price === null) return { state: 'unknown', amount: null, tokens, result };
  if (tokens) return { state: 'exact', amount: costOf(tokens, price), tokens, result };
  return { state: 'estimated', amount: call.amount, tokens, result };
}

/** Added to the longest call before upkeep takes its worker for dead, in ms. */
const lostMarginMs = 600_000;

/** Ends the costs of calls whose worker died. @returns how many */
export async function endLostCalls({ db, config }: Pick<BudgetContext, 'db' | 'config'>): Promise<number> {
  if (!isBilled(config.image.provider)) return 0;
  const before = new Date(Date.now() - config.image.timeoutMs - lostMarginMs);
  const ended: CallCostRow[] = await endLostCosts(db, before);
  for (const call of ended) countProviderCost({ ...call, amount: call.amount ?? null });
  return ended.length;
}
