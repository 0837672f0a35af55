import { type ErrorCode, type ErrorReply, errorDefinitions, type SecondFactor } from '#contract';

/** An error of the API: its code, status, and a message for the person who reads it. The server answers with it. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  /** The field that VALIDATION is about. */
  readonly field: string | undefined;
  /** The factors that CODE_REQUIRED asks for one of. */
  readonly factors: SecondFactor[] | undefined;
  /** For the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    details: {
      message?: string;
      field?: string;
      factors?: SecondFactor[];
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    const [status, message] = errorDefinitions[code];
    super(details.message ?? message, { cause: details.cause });
    this.code = code;
    this.status = status;
    this.field = details.field;
    this.factors = details.factors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** The body of the answer. @param docs address of the page that explains errors, for programs */
  toReply(requestId: string, docs?: string): ErrorReply {
    return {
      error: {
        code: this.code,
        message: this.message,
        requestId,
        ...(this.field === undefined ? {} : { field: this.field }),
        ...(this.factors === undefined ? {} : { factors: this.factors }),
        ...(docs === undefined ? {} : { docs }),
      },
    };
  }
}
