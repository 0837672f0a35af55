import { errorReplySchema } from '#contract';

/** The error answers that a route documents: the same shape under each status. */
export function errorReplies<Status extends number>(
  ...statuses: Status[]
): Record<Status, typeof errorReplySchema> {
  return Object.fromEntries(statuses.map((status) => [status, errorReplySchema])) as Record<
    Status,
    typeof errorReplySchema
  >;
}
