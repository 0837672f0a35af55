import { type ErrorCode, type ErrorReply, errorDefinitions } from '#contract';

/** Something that Packshot refuses, with a sentence for the person who sees it. The server turns it into its answer. */
export class AppError extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;
  /** The field that VALIDATION is about. */
  readonly field: string | undefined;
  /** Seconds until trying again makes sense, for the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    details: { message?: string; field?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    const [status, message] = errorDefinitions[code];
    super(details.message ?? message, { cause: details.cause });
    this.code = code;
    this.status = status;
    this.field = details.field;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** The body of the error answer: the one shape of all of them. */
  toReply(requestId: string): ErrorReply {
    return {
      error: {
        code: this.code,
        message: this.message,
        requestId,
        ...(this.field === undefined ? {} : { field: this.field }),
      },
    };
  }
}
