/** Replies that come late, slowly, or never end. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { eventText, openEventStream, partialEvent, writeEvent, writePart } from './answer.ts';
import type { Behaviour } from './control.ts';
import type { EditRequest } from './edits.ts';

/** What a reply is written with. */
interface Reply {
  request: EditRequest;
  response: ServerResponse;
  headers: Record<string, string>;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

type Late = Extract<Behaviour, { kind: 'late' }>;

/** Waits, and opens the stream; then waits for the time of the first event, with comments meanwhile. */
export async function openLateStream(
  { response, headers, signal }: Omit<Reply, 'request'>,
  { headersMs = 0, eventMs = 0, commentsMs }: Late,
): Promise<void> {
  await wait(headersMs, undefined, { signal });
  openEventStream(response, headers);
  if (commentsMs === undefined) {
    await wait(eventMs, undefined, { signal });
    return;
  }
  for (let waited = 0; waited < eventMs; waited += commentsMs) {
    await wait(commentsMs, undefined, { signal });
    await writePart(response, ': keep-alive\n\n', signal);
  }
}

/** Writes the first event: some of its bytes one by one, the others at once. */
export async function writeFirstEvent(
  { request, response, signal }: Omit<Reply, 'headers'>,
  image: Buffer,
  { dribble }: Late,
): Promise<void> {
  const event = partialEvent(request, image, 0);
  if (!dribble) {
    await writeEvent(response, 'image_edit.partial_image', event, signal);
    return;
  }
  const frame = Buffer.from(`${eventText('image_edit.partial_image', event)}\n\n`);
  for (const byte of frame.subarray(0, dribble.bytes)) {
    await writePart(response, Buffer.of(byte), signal);
    await wait(dribble.everyMs, undefined, { signal });
  }
  await writePart(response, frame.subarray(dribble.bytes), signal);
}

const blockBytes = 2 ** 16;

/** Sends bytes until the client leaves. */
export async function sendWithoutEnd(
  { response, headers, signal }: Omit<Reply, 'request'>,
  { what, status = 400 }: Extract<Behaviour, { kind: 'endless' }>,
): Promise<never> {
  if (what === 'error') {
    response.writeHead(status, { ...headers, 'content-type': 'application/json' });
    response.write('{"error":{"message":"');
  } else {
    openEventStream(response, headers);
    if (what === 'event') response.write('data: {"type":"image_edit.partial_image","b64_json":"');
  }
  const block = what === 'comments' ? ': keep-alive\n\n'.repeat(blockBytes / 16) : 'A'.repeat(blockBytes);
  for (;;) await writePart(response, block, signal);
}
