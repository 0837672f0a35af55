import { expect, test } from 'vitest';
import { type ProviderEvent, streamEvents } from './stream.ts';

const completed = (image: string) =>
  `event: image_edit.completed\ndata: {"type":"image_edit.completed","b64_json":"${image}","usage":null}`;

async function read(parts: string[], { contentType = 'text/event-stream', bytesMost = 10_000 } = {}) {
  const body = ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
  const response = new Response(body, { headers: { 'content-type': contentType } });
  let heard = 0;
  const events: ProviderEvent[] = [];
  const onBytes = () => {
    heard += 1;
  };
  for await (const event of streamEvents(response, { requestId: 'req_1', bytesMost, onBytes })) {
    events.push(event);
  }
  return { events, heard };
}

const imageOf = ({ events }: Awaited<ReturnType<typeof read>>) => events.map(({ image }) => image.toString());
const hello = Buffer.from('hello').toString('base64');

test.for(['', '\n', '\r\n', '\n\n'])('the last event is one, followed by %j', async (end) => {
  const text = completed(hello) + end;
  expect(imageOf(await read([text]))).toEqual(['hello']);
  // Wherever it is divided, also within what may be the beginning of a key.
  expect(imageOf(await read([...text]))).toEqual(['hello']);
});

test('a last event that was cut is none', async () => {
  const text = completed(hello);
  const keys = text.indexOf('"usage"');
  for (const end of [text.length - 1, keys, keys + 3, text.indexOf('b64_json'), 40]) {
    expect((await read([text.slice(0, end)])).events).toEqual([]);
  }
});

test('each part that arrives is heard, comments too', async () => {
  expect(await read([': keep-alive\n\n', ': keep-', 'alive\n\n'])).toEqual({ events: [], heard: 3 });
});

test('an error that is a whole JSON document is found, also when it has several lines', async () => {
  const error = JSON.stringify({ error: { code: 'billing_not_active', message: 'said so' } }, null, 2);
  await expect(read([error], { contentType: 'application/json' })).rejects.toMatchObject({
    kind: 'account',
    code: 'billing_not_active',
    message: 'said so',
    requestId: 'req_1',
  });
});

test('a reply that is too long ends, and says so', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(Buffer.alloc(1_000, ': '));
    },
  });
  const response = new Response(endless);
  const reading = { requestId: 'req_1', bytesMost: 10_000, onBytes() {} };
  const drain = async () => {
    for await (const _event of streamEvents(response, reading));
  };
  await expect(drain()).rejects.toMatchObject({
    kind: 'invalid_response',
    message: 'the reply is longer than 10000 bytes',
  });
  expect(sent).toBeLessThan(20);
});
