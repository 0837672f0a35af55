import type { ErrorCode } from '#contract';
import { askedTest, testScenes } from '#contract/test-scenes.ts';
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
  | { kind: 'remake' | 'retry' | 'batch'; sellerId: string };

const sceneOf = (asked: Asked) => {
  if (asked.kind === 'photos') return asked.fields.prompt;
  return asked.kind === 'change' ? asked.instruction : '';
};

/** Refuses a request of a test seller whose scene asks for that; none of others. @throws AppError */
export function refuseByScene(asked: Asked): void {
  if (!isTestSeller(asked.sellerId)) return;
  const { name } = askedTest(sceneOf(asked));
  const outcome = name === null ? undefined : testScenes[name]!.outcome;
  if (!outcome || !('refused' in outcome)) return;
  const after = retryAfterSeconds[outcome.refused]?.();
  throw new AppError(outcome.refused, { ...(after !== undefined && { retryAfterSeconds: after }) });
}
