/** Reads what happens, as server-sent events, over as many connections as it takes. */
import { setTimeout as wait } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { streamOpenedEvent } from '#contract/v1-events.ts';
import { type Packshot, PackshotError, problemOf } from './client.ts';

/** Something that happened. */
export interface HappenedEvent {
  /** The header `webhook-id` of webhooks. */
  id: string;
  type: string;
  /** What a webhook is sent, byte for byte. */
  body: string;
}

/** A connection on which nothing came for so long is lost, in ms: the server sends a line every 15 seconds. */
const silentMs = 45_000;

/** The pauses in s before another connection; the last one again and again. */
const pauses = [1, 2, 4, 8, 15, 30];

/**
 * Calls a function with each event, one after the other, until the signal is aborted. A connection that is lost is opened again
 * after the event that was handled last, so that none is left out and none comes twice.
 * @param after the event that it begins after; from now on without it
 * @param tell called when a connection is open, and with the reason when one was lost
 * @throws PackshotError when the server refuses, or when there never was an answer
 */
export async function followEvents(
  packshot: Packshot,
  { after, signal }: { after: string | undefined; signal: AbortSignal },
  handle: (event: HappenedEvent) => Promise<void>,
  tell: (problem: string | null) => void,
): Promise<void> {
  let lastId = after;
  let wasOpen = false;
  for (let failures = 0; !signal.aborted; failures += 1) {
    let seconds = 0;
    try {
      for await (const event of readEvents(packshot, lastId, signal)) {
        if (event.type === streamOpenedEvent) {
          [failures, wasOpen] = [0, true];
          tell(null);
        } else await handle(event);
        lastId = event.id;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isTemporary(error) || (!wasOpen && failures >= 4)) throw error;
      tell((error as Error).message);
      seconds = error instanceof Refusal ? error.retrySeconds : 0;
    }
    const pause = pauses[Math.min(failures, pauses.length - 1)]!;
    await wait(Math.max(pause, seconds) * 1_000, undefined, { signal }).catch(() => {});
  }
}

/** A refusal for now. */
class Refusal extends PackshotError {
  readonly retrySeconds: number;

  constructor({ message, code, status, requestId }: PackshotError, retrySeconds: number) {
    super(message, { code, status, requestId });
    this.retrySeconds = retrySeconds;
  }
}

const isTemporary = (error: unknown) =>
  error instanceof Refusal || (error instanceof PackshotError && error.status === 0);

/** The events of one connection. @throws PackshotError when it is refused or lost; ends when the server ends it */
async function* readEvents(
  packshot: Packshot,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<HappenedEvent> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), silentMs);
  const lost = (cause: unknown) => problemOf(undefined, cause);
  try {
    const outcome = await packshot
      .GET('/api/v1/events', {
        parseAs: 'stream',
        headers: lastId === undefined ? {} : { 'last-event-id': lastId },
        signal: AbortSignal.any([signal, silent.signal]),
      })
      .catch((cause) => {
        throw lost(cause);
      });
    if (!outcome.response.ok || !outcome.data) {
      const problem = problemOf(outcome, undefined);
      const isForNow = problem.status === 429 || problem.status >= 500;
      throw isForNow
        ? new Refusal(problem, Number(outcome.response.headers.get('retry-after')) || 0)
        : problem;
    }
    const came: HappenedEvent[] = [];
    const parser = createParser({
      onEvent: ({ id = '', event: type = '', data: body }) => came.push({ id, type, body }),
    });
    const reader = outcome.data.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), silentMs);
      const piece = await reader.read().catch((cause) => {
        throw lost(cause);
      });
      clearTimeout(timer);
      if (piece.done) return;
      parser.feed(piece.value);
      yield* came.splice(0);
    }
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
}
