import { afterEach, expect, test, vi } from 'vitest';
import { type ErrorReply, paths } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { fetchPhoto } from './fetch-photo.ts';

afterEach(() => vi.unstubAllGlobals());

/** Lets the server answer. @returns what it was asked */
function answering(reply: Response | Error) {
  const asked = vi.fn<typeof fetch>(async () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
  vi.stubGlobal('fetch', asked);
  return asked;
}

const failureOf = (url: string) =>
  fetchPhoto(url).then(
    () => undefined,
    (error: ApiError) => error,
  );
const url = 'https://cdn.shop.example/a?signature=1';

test('a photo comes as a file with the name of its address and the type of its content', async () => {
  const name = 'größe 2 (weiß).jpg';
  const asked = answering(
    new Response('bytes', {
      headers: {
        'content-type': 'image/jpeg',
        'content-disposition': `attachment; filename="gr__e.jpg"; filename*=UTF-8''${encodeURIComponent(name)}`,
      },
    }),
  );
  const file = await fetchPhoto(url);
  expect({ name: file.name, type: file.type, text: await file.text() }).toEqual({
    name,
    type: 'image/jpeg',
    text: 'bytes',
  });
  expect(asked).toHaveBeenCalledExactlyOnceWith(
    paths.photoAddresses,
    expect.objectContaining({ method: 'POST', body: JSON.stringify({ url }) }),
  );
});

test('an error of the server keeps its code, sentence and field', async () => {
  const message = "We couldn't fetch this address: it answered 404.";
  const body: ErrorReply = {
    error: { code: 'ADDRESS_NOT_FETCHED', message, field: 'url', requestId: 'a'.repeat(32) },
  };
  answering(Response.json(body, { status: 422 }));
  expect(await failureOf(url)).toMatchObject({ code: 'ADDRESS_NOT_FETCHED', message, field: 'url' });
});

test.for([
  ['a page of a network that asks for a sign-in', 200, '<!doctype html>', 'UNCLEAR'],
  ['a photo without a name', 200, 'bytes', 'UNCLEAR'],
  ['a proxy without a server', 502, '<h1>Bad gateway</h1>', 'UNAVAILABLE'],
] as const)('%s is no photo', async ([, status, text, code]) => {
  answering(new Response(text, { status, headers: { 'content-type': 'text/html' } }));
  expect(await failureOf(url)).toMatchObject({ code });
});

test('no reply; a signal', async () => {
  answering(new TypeError('Failed to fetch'));
  const failure = await failureOf(url);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure!.code).toBe('NETWORK');
  const gone = AbortSignal.abort(new Error('gone'));
  answering(new Error('aborted'));
  await expect(fetchPhoto(url, gone)).rejects.toThrow('aborted');
});
