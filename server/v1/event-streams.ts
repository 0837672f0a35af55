import { Readable } from 'node:stream';
import { noEventId, streamOpenedEvent, type WebhookEvent } from '#contract';
import { serverLimits } from '#contract/server-limits.ts';
import type { Caller } from '#server/auth/session.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createSlots } from '#server/uploads/slots.ts';
import { findEvent, findLastEvent, listEventsAfter } from '#shared/data/webhooks/events.ts';
import { AppError } from '#shared/platform/errors.ts';
import { bodyOf } from '#shared/webhooks/tell.ts';

/** Pause between two lines that keep a silent connection open, in ms: proxies close those on which nothing moves for a minute. */
const heartbeatMs = 15_000;

/** Events that are read from the database at a time, and bytes that wait for a slow reader. */
const pageSize = 50;
const bufferBytes = 16 * 1024;

/** Time after which a client connects again, in ms, and how much more: streams of a server that closes do not come back at once. */
const retryMs = 1_000;
const retrySpreadMs = 2_000;

/** The event streams of one server (docs/decisions/0140-events-as-a-stream.md). */
export interface EventStreams {
  /**
   * Opens a stream of what happens to the caller's seller.
   * @param lastEventId the event that the program has seen last; undefined: from now on
   * @param disconnected aborted when nobody reads it any more
   * @param keyEnded aborted when the key has ended
   * @throws AppError EVENT_TOO_OLD when events after it are gone; TOO_MANY_STREAMS or UNAVAILABLE
   */
  open(
    caller: Caller,
    lastEventId: string | undefined,
    disconnected: AbortSignal,
    keyEnded: AbortSignal,
  ): Promise<Readable>;
  /** Ends all streams, between two events. For a server that closes: programs go on at another one. */
  endAll(): void;
}

export function createEventStreams({
  db,
  relay,
  log,
}: Pick<ServerContext, 'db' | 'relay' | 'log'>): EventStreams {
  const slots = createSlots(
    {
      perOwner: serverLimits.eventStreamsOfSeller,
      total: serverLimits.eventStreams,
      waitingPerOwner: 0,
      waitingTotal: 0,
      waitMs: 0,
    },
    'TOO_MANY_STREAMS',
  );
  /** What ends each of the open streams, between two events. */
  const open = new Set<AbortController>();
  let isClosing = false;

  /** The place of an event. @throws AppError EVENT_TOO_OLD unless what followed it is there */
  async function placeAfter(sellerId: string, lastEventId: string): Promise<number> {
    const event = lastEventId === noEventId ? null : await findEvent(db, sellerId, lastEventId);
    if (!event && lastEventId !== noEventId) throw new AppError('EVENT_TOO_OLD');
    const place = event?.place ?? 0;
    const [next] = await listEventsAfter(db, sellerId, place, 1);
    if (next && next.place !== place + 1) throw new AppError('EVENT_TOO_OLD');
    return place;
  }

  return {
    async open({ sellerId, principal }, lastEventId, disconnected, keyEnded) {
      if (isClosing) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
      const slot = await slots.take(sellerId, disconnected);
      const end = new AbortController();
      let unsubscribe: (() => Promise<void>) | undefined;
      const close = () => {
        end.abort();
        slot.release();
        unsubscribe?.().catch((error) => log.warn({ err: error }, 'an event stream was not unsubscribed'));
      };
      try {
        const news = createNews(end.signal);
        // Before anything is read: an event in between is not missed.
        unsubscribe = await relay.subscribe(sellerId, ({ told }) => {
          if (told) news.bring();
        });
        const last = lastEventId === undefined ? await findLastEvent(db, sellerId) : null;
        const place =
          last?.place ?? (lastEventId === undefined ? 0 : await placeAfter(sellerId, lastEventId));
        const id = last?._id ?? lastEventId ?? noEventId;
        const scopes = principal.kind === 'key' ? principal.scopes : [];
        const mayTell = (type: WebhookEvent) => type !== 'balance.low' || scopes.includes('usage:read');
        const readable = Readable.from(blocks({ sellerId, id, place, mayTell, news, ended: end.signal }), {
          objectMode: false,
          highWaterMark: bufferBytes,
        });
        open.add(end);
        readable.once('close', () => {
          open.delete(end);
          close();
        });
        // A generator that waits does not see that it is destroyed.
        for (const over of [disconnected, keyEnded]) over.addEventListener('abort', () => end.abort());
        if (disconnected.aborted) readable.destroy();
        return readable;
      } catch (error) {
        close();
        throw error;
      }
    },
    endAll() {
      isClosing = true;
      for (const end of open) end.abort();
    },
  };

  /** The text of a stream. It ends when `ended` is aborted, and when an event that should follow is gone. */
  async function* blocks({
    sellerId,
    id,
    place,
    mayTell,
    news,
    ended,
  }: {
    sellerId: string;
    id: string;
    place: number;
    mayTell(type: WebhookEvent): boolean;
    news: News;
    ended: AbortSignal;
  }): AsyncGenerator<string> {
    yield `retry: ${Math.round(retryMs + Math.random() * retrySpreadMs)}\n`;
    yield blockOf(id, streamOpenedEvent, bodyOf(sellerId, streamOpenedEvent, new Date(), {}));
    let seen = place;
    while (!ended.aborted) {
      news.forget();
      const page = await listEventsAfter(db, sellerId, seen, pageSize);
      for (const { _id, place: next, type, body } of page) {
        if (ended.aborted || next !== seen + 1) return;
        seen = next;
        if (body !== null && mayTell(type)) yield blockOf(_id, type, body);
      }
      if (page.length === pageSize) continue;
      // The message about an event may be lost: it is read after the next heartbeat then.
      if (!(await news.wait(heartbeatMs)) && !ended.aborted) yield ':\n\n';
    }
  }
}

/** An event in the form of https://html.spec.whatwg.org/multipage/server-sent-events.html. @param body in one line, as JSON is */
const blockOf = (id: string, type: string, body: string) => `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`;

/** Whether something has happened since it was last forgotten. */
interface News {
  bring(): void;
  forget(): void;
  /** Waits until there is news, or the signal is aborted. @returns false when the time is over first */
  wait(ms: number): Promise<boolean>;
}

function createNews(ended: AbortSignal): News {
  let isNew = false;
  let wake: (() => void) | undefined;
  ended.addEventListener('abort', () => wake?.());
  return {
    bring() {
      isNew = true;
      wake?.();
    },
    forget() {
      isNew = false;
    },
    wait: (ms) =>
      new Promise((resolve) => {
        if (isNew || ended.aborted) return resolve(true);
        const done = (came: boolean) => {
          clearTimeout(timer);
          wake = undefined;
          resolve(came);
        };
        const timer = setTimeout(() => done(false), ms);
        wake = () => done(true);
      }),
  };
}
