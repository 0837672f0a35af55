/** A typed client of Packshot's API for programs, for other programs too: this is what the package exports. */
import { setTimeout as wait } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.ts';

export type { components, operations, paths } from './api.ts';

/** An image that is made, or how far it is. */
export type Generation = components['schemas']['V1Generation'];
export type Packshot = Client<paths>;

/** Where requests go, and the API key that they carry. */
export interface Connection {
  url: string;
  key: string;
}

/**
 * A client of the API: `client.GET('/api/v1/balance')`, with a type for each path, parameter and reply.
 * @param url address of Packshot, without a path
 */
export function createPackshot({ url, key }: Connection): Packshot {
  return createClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    headers: { authorization: `Bearer ${key}` },
  });
}

/** An error reply of the API, or no reply. The message can be shown to people. */
export class PackshotError extends Error {
  override name = 'PackshotError';
  /** `NO_ANSWER` if there was no reply. */
  readonly code: string;
  /** HTTP status of the reply; 0 if there was none. */
  readonly status: number;
  /** For questions to the support. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    details: { code: string; status: number; requestId?: string | undefined; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
  }
}

/** What a call of the client resolves to. */
interface Outcome<Data> {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}

/** The pauses in s before a request without an answer is sent again. */
const pauses = [1, 2, 4, 8];
/** The longest `Retry-After` in s that is waited for. */
const longestPause = 60;

/**
 * Sends a request until it is answered: again where there was no answer, after errors of the server, and
 * after 429 when `Retry-After` has passed.
 * Those that make images must have an `Idempotency-Key`, so that a repeated one makes nothing more.
 * @param send makes the request anew each time
 * @returns the data of the reply
 * @throws PackshotError for an error reply, or when there is no answer in the end
 */
export async function answerOf<Data>(
  send: () => Promise<Outcome<Data>>,
  signal?: AbortSignal,
): Promise<NonNullable<Data>> {
  for (let attempt = 0; ; attempt += 1) {
    let outcome: Outcome<Data> | undefined;
    let cause: unknown;
    try {
      outcome = await send();
    } catch (error) {
      signal?.throwIfAborted();
      cause = error;
    }
    if (outcome?.response.ok && outcome.data != null) return outcome.data;
    const pause = pauseBefore(attempt, outcome?.response);
    if (pause === undefined) throw problemOf(outcome, cause);
    await wait(pause * 1_000, undefined, { signal });
  }
}

/** @returns the seconds to wait before a request is sent again; undefined if that would be of no use */
function pauseBefore(attempt: number, response: Response | undefined): number | undefined {
  if (attempt >= pauses.length) return undefined;
  if (response === undefined) return pauses[attempt];
  if (response.status !== 429 && response.status < 500) return undefined;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return seconds > longestPause ? undefined : Math.max(seconds || 0, pauses[attempt]!);
}

/** The error of a call that was refused, or had no answer. */
export function problemOf(outcome: Outcome<unknown> | undefined, cause: unknown): PackshotError {
  if (!outcome) {
    return new PackshotError('There is no answer. Is the address right, and are you online?', {
      code: 'NO_ANSWER',
      status: 0,
      cause,
    });
  }
  const { status, url } = outcome.response;
  const reply = outcome.error as Partial<components['schemas']['ErrorReply']> | undefined;
  if (!reply?.error) {
    return new PackshotError(`${url} answered ${status} and does not look like Packshot.`, {
      code: 'NOT_PACKSHOT',
      status,
    });
  }
  const { code, message, requestId } = reply.error;
  return new PackshotError(message, { code, status, requestId });
}
