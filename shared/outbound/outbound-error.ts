/**
 * Why nothing was fetched.
 * - `invalid`: no https address. `credentials`, `port`: it has a user name, or a port that is not allowed.
 * - `not-public`: its host is not on the public internet, or does not exist. Both are one reason, so that nobody learns which
 *   names our own network knows.
 * - `redirect`: it leads to an address that is not allowed. `redirects`: it leads on too often.
 * - `status`: it answered something else than 200. `encoded`: compressed.
 * - `too-large`, `timeout`; `certificate`: not trusted; `unreachable`: no connection, or one that broke.
 */
export type OutboundFailure =
  | 'invalid'
  | 'credentials'
  | 'port'
  | 'not-public'
  | 'redirect'
  | 'redirects'
  | 'status'
  | 'encoded'
  | 'too-large'
  | 'timeout'
  | 'certificate'
  | 'unreachable';

/** A stranger's address that could not be fetched. Its message is for the log. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly failure: OutboundFailure;
  /** What it answered, with `status`. */
  readonly status: number | undefined;

  constructor(failure: OutboundFailure, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(status === undefined ? failure : `${failure} ${status}`, { cause });
    this.failure = failure;
    this.status = status;
  }
}
