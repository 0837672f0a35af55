import { expect } from 'vitest';
import type { ErrorReply, GenerationView } from '#contract';
import { testWithSharedSeller } from '#tests/support/test.ts';

/** The image of all tests in this file. */
interface MadeImage {
  view: GenerationView;
  etag: string;
  whole: Buffer;
  /** Fetches it, or another image of its seller. */
  get(headers: Record<string, string>, method?: string, url?: string): Promise<Response>;
}

const test = testWithSharedSeller().extend(
  'made',
  { scope: 'file' },
  async ({ stack, seller }): Promise<MadeImage> => {
    const window = await seller.openWindow();
    const { id } = await seller.submit();
    const view = await window.untilEnded(id);
    window.close();
    const authorization = `Bearer ${seller.token}`;
    const get: MadeImage['get'] = (headers, method = 'GET', url = view.image!.url) =>
      fetch(stack.url + url, { method, headers: { authorization, ...headers } });
    const reply = await get({});
    return {
      view,
      get,
      etag: reply.headers.get('etag')!,
      whole: Buffer.from(await reply.arrayBuffer()),
    };
  },
);

async function expectPart(
  { get, whole, etag }: MadeImage,
  headers: Record<string, string>,
  start: number,
  end: number,
): Promise<void> {
  const reply = await get(headers);
  expect(reply.status).toBe(206);
  expect(reply.headers.get('content-range')).toBe(`bytes ${start}-${end}/${whole.length}`);
  expect(reply.headers.get('content-length')).toBe(String(end - start + 1));
  expect(reply.headers.get('content-type')).toBe('image/png');
  expect(reply.headers.get('etag')).toBe(etag);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(whole.subarray(start, end + 1));
}

async function expectWhole({ get, whole }: MadeImage, headers: Record<string, string>): Promise<void> {
  const reply = await get(headers);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-range')).toBeNull();
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(whole);
}

test('a whole image is sent with Accept-Ranges', async ({ made }) => {
  const { get, whole } = made;
  const { status, headers } = await get({});
  expect(status).toBe(200);
  expect(headers.get('accept-ranges')).toBe('bytes');
  expect(headers.get('content-length')).toBe(String(whole.length));
});

test('a range is sent as requested: from the start, from the middle, the last bytes', async ({ made }) => {
  const { whole } = made;
  const last = whole.length - 1;
  await expectPart(made, { range: 'bytes=0-99' }, 0, 99);
  await expectPart(made, { range: 'bytes=100-' }, 100, last);
  await expectPart(made, { range: 'bytes=-10' }, last - 9, last);
  await expectPart(made, { range: `bytes=10-${last + 1_000}` }, 10, last);
});

test('an interrupted download continues only with the same file', async ({ made }) => {
  const { whole, etag } = made;
  await expectPart(made, { range: 'bytes=100-', 'if-range': etag }, 100, whole.length - 1);
  await expectWhole(made, { range: 'bytes=100-', 'if-range': '"another"' });
  await expectWhole(made, { range: 'bytes=100-', 'if-range': new Date().toUTCString() });
});

test('a range beyond the end is refused in the shape of all errors, and not cached', async ({ made }) => {
  const { get, whole } = made;
  const reply = await get({ range: `bytes=${whole.length}-` });
  expect(reply.status).toBe(416);
  expect(reply.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  expect(reply.headers.get('etag')).toBeNull();
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(((await reply.json()) as ErrorReply).error.code).toBe('RANGE_NOT_SATISFIABLE');
});

test('several ranges, or an invalid one, get the whole file', async ({ made }) => {
  for (const range of ['bytes=0-9,20-29', 'bytes=9-0', 'bytes=a-b', 'lines=1-2'])
    await expectWhole(made, { range });
});

test('a cached file is not sent again', async ({ made }) => {
  const { get, etag } = made;
  for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
    const again = await get({ 'if-none-match': known, range: 'bytes=0-9' });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('cache-control')).toBe('private, max-age=300');
  }
});

test('a photo is sent in ranges too, a thumbnail is sent whole', async ({ made }) => {
  const { get } = made;
  const photo = await get({ range: 'bytes=0-0' }, 'GET', made.view.photos[0]!.url);
  expect(photo.status).toBe(206);
  const thumbnail = await get({ range: 'bytes=0-0' }, 'GET', made.view.image!.thumbnailUrl);
  expect(thumbnail.status).toBe(200);
  expect(thumbnail.headers.get('content-type')).toBe('image/webp');
});
