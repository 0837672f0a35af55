import type { ErrorCode } from '#contract';
import { askedTest, testScenes } from '#contract/test-scenes.ts';
import { listBatchItems } from '#shared/data/batches/items.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import type { Db } from '#shared/data/db.ts';
import { isTestSeller } from '#shared/data/test-seller.ts';
import { opensAgain } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';

/** After how many seconds a test that is refused may be sent again; for others that makes no difference. */
const retryAfterSeconds: Partial<Record<ErrorCode, () => number>> = {
  RATE_LIMITED: () => 1,
  UNAVAILABLE: () => 1,
  MAINTENANCE: () => 300,
  DAILY_LIMIT: () => opensAgain(new Date()).retryAfterSeconds,
};

/** What is read of a request: its seller, and what it says of the image itself. */
type Asked =
  | { kind: 'photos'; sellerId: string; fields: { prompt: string } }
  | { kind: 'change'; sellerId: string; instruction: string }
  | { kind: 'batch'; sellerId: string; item: { prompt: string } }
  | { kind: 'remake' | 'retry'; sellerId: string };

const sceneOf = (asked: Asked) => {
  if (asked.kind === 'photos') return asked.fields.prompt;
  if (asked.kind === 'batch') return asked.item.prompt;
  return asked.kind === 'change' ? asked.instruction : '';
};

/** The refusal that a scene asks for. */
function refusalOf(scene: string): ErrorCode | undefined {
  const { name } = askedTest(scene);
  const outcome = name === null ? undefined : testScenes[name]!.outcome;
  return outcome && 'refused' in outcome ? outcome.refused : undefined;
}

function refuse(code: ErrorCode): never {
  const after = retryAfterSeconds[code]?.();
  throw new AppError(code, { ...(after !== undefined && { retryAfterSeconds: after }) });
}

/** Refuses a request of a test seller whose scene asks for that; none of others. @throws AppError */
export function refuseByScene(asked: Asked): void {
  if (!isTestSeller(asked.sellerId)) return;
  const code = refusalOf(sceneOf(asked));
  if (code === undefined) return;
  // An image of a batch waits for the next day; all else refused its start.
  if (asked.kind !== 'batch' || code === 'DAILY_LIMIT') refuse(code);
}

/**
 * Refuses to start or to continue a batch of a test seller of which a row asks for that. The daily limit refuses none: batches wait
 * for the next day.
 * @throws AppError
 */
export async function refuseBatchByScene(db: Db, batch: Pick<BatchRow, '_id' | 'profile'>): Promise<void> {
  if (!isTestSeller(batch.profile)) return;
  for (const { prompt } of await listBatchItems(db, batch._id)) {
    const code = refusalOf(prompt);
    if (code !== undefined && code !== 'DAILY_LIMIT') refuse(code);
  }
}
