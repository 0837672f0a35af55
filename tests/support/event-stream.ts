/** The stream of events as a program reads it. */
import { createParser } from 'eventsource-parser';
import { streamOpenedEvent, v1EventsPath } from '#contract';

/** An event as it arrived. */
interface StreamedEvent {
  id: string | undefined;
  event: string | undefined;
  data: string;
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** The answer, unless it is a stream. */
  refusal: unknown;
  /** What happened: all but the first event, which opens the stream. */
  events: StreamedEvent[];
  /** Lines that only keep the connection open. */
  heartbeats(): number;
  /** The id that came last. */
  lastId(): string | undefined;
  /** Resolves when the server has ended it: whether after a whole answer. */
  ended: Promise<boolean>;
  close(): void;
}

/** Opens a stream; resolves when it is open, or was refused. */
export async function openEventStream(url: string, key: string, lastEventId?: string): Promise<EventStream> {
  const closing = new AbortController();
  const reply = await fetch(url + v1EventsPath, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: closing.signal,
  });
  const events: StreamedEvent[] = [];
  let [lastId, heartbeats]: [string | undefined, number] = [undefined, 0];
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  let opened = () => {};
  const opens = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      lastId = id;
      if (event === streamOpenedEvent) opened();
      else events.push({ id, event, data });
    },
    onComment: () => {
      heartbeats += 1;
    },
  });
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of reply.body!) parser.feed(decoder.decode(piece, { stream: true }));
    return true;
  };
  const ended = isStream ? read().catch(() => false) : Promise.resolve(true);
  const refusal = isStream ? null : await reply.json();
  if (isStream) await Promise.race([opens, ended]);
  return {
    status: reply.status,
    headers: reply.headers,
    refusal,
    events,
    heartbeats: () => heartbeats,
    lastId: () => lastId,
    ended,
    close: () => closing.abort(),
  };
}
