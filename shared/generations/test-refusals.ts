import type { ErrorCode } from '#contract';
import { askedTest, testScenes } from '#contract/test-scenes.ts';
import { opensAgain } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';

/** After how many seconds a test that is refused may be sent again; for others that makes no difference. */
const retryAfterSeconds: Partial<Record<ErrorCode, () => number>> = {
  RATE_LIMITED: () => 1,
  UNAVAILABLE: () => 1,
  MAINTENANCE: () => 300,
  DAILY_LIMIT: () => opensAgain(new Date()).retryAfterSeconds,
};

/** Refuses a request of the sandbox whose scene asks for that. @throws AppError */
export function refuseByScene(scene: string): void {
  const { name } = askedTest(scene);
  const outcome = name === null ? undefined : testScenes[name]!.outcome;
  if (!outcome || !('refused' in outcome)) return;
  const after = retryAfterSeconds[outcome.refused]?.();
  throw new AppError(outcome.refused, { ...(after !== undefined && { retryAfterSeconds: after }) });
}
