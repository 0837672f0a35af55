import { ApiError, messageOf } from '#web/lib/api.ts';
import { countText } from '#web/lib/count-text.ts';
import { toastError } from '#web/ui/toast-error.ts';

/** Whether an image is not there any more, or not where it was. */
export const isGone = (error: unknown) => error instanceof ApiError && error.code === 'NOT_FOUND';

/** Says what was refused, once. An image that another window deleted is no mistake of the seller. */
export function toastErrors(results: readonly PromiseSettledResult<unknown>[], done: string): void {
  const reasons = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown)
    .filter((reason) => !isGone(reason));
  if (reasons.length === 0) return;
  toastError(`${countText(reasons.length, 'image')} could not be ${done}. ${messageOf(reasons[0])}`);
}
