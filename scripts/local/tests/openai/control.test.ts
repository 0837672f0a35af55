/** The control endpoint: every simulated failure, as OpenAI's SDK sees it. */
import { setTimeout as delay } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { ImageServerControl } from '../../openai/control.ts';
import type { Behaviour } from '../../openai/control-client.ts';
import { limitMs } from '../harness.ts';
import { completeForm, photoFile, postForm, testWithServer } from './harness.ts';

const model = 'gpt-image-2.5-flare';

const test = testWithServer()
  .extend(
    'next',
    ({ subject }) =>
      (...behaviours: Behaviour[]) =>
        subject.control.set({ behaviours }),
  )
  .extend('askJson', ({ subject }) => async (signal?: AbortSignal) => {
    const image = await photoFile();
    return subject.client.images.edit({ model, prompt: 'x', image }, signal ? { signal } : {});
  })
  // Reads a stream to its end and returns the types of its events.
  .extend('askStream', ({ subject }) => async (signal?: AbortSignal, onEvent?: (type: string) => void) => {
    const stream = await subject.client.images.edit(
      { model, prompt: 'x', image: await photoFile(), stream: true, partial_images: 2 },
      signal ? { signal } : {},
    );
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      onEvent?.(event.type);
    }
    return types;
  });

const partial = 'image_edit.partial_image';
const completed = 'image_edit.completed';

describe('a call', () => {
  test('fails with any error and its headers', async ({ next, askJson }) => {
    await next({
      kind: 'error',
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'requests',
      headers: { 'retry-after': '7' },
    });
    const error = await askJson().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    const refused = error as InstanceType<typeof OpenAI.RateLimitError>;
    expect(refused.code).toBe('rate_limit_exceeded');
    expect(refused.headers?.get('retry-after')).toBe('7');
    expect(refused.requestID).toMatch(/^req_/);
    // The queue is empty again, so the next call is answered normally.
    expect((await askJson()).data).toHaveLength(1);
  });

  test('is rejected above the rate limit, with the time until the window ends', async ({
    subject,
    askJson,
  }) => {
    const windowMs = limitMs(1_000);
    await subject.control.set({ default: { kind: 'rate-limit', calls: 2, windowMs } });
    for (let call = 0; call < 2; call += 1) expect((await askJson()).data).toHaveLength(1);
    const error = await askJson().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    const wait = Number((error as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('retry-after-ms'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(windowMs);
    await delay(wait);
    expect((await askJson()).data).toHaveLength(1);
  });

  test('fails only if the error is for its prompt', async ({ subject, askJson }) => {
    const refused = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'tokens' } as const;
    await subject.control.set({ default: { ...refused, prompt: 'y' } });
    expect((await askJson()).data).toHaveLength(1);
    await subject.control.set({ default: { ...refused, prompt: 'x' } });
    await expect(askJson()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  });

  test('is held until released', async ({ subject, next, askJson }) => {
    await next({ kind: 'hold' });
    const answer = askJson();
    expect(await subject.control.waitFor({ waiting: 1 })).toMatchObject({ active: 1 });
    await subject.control.release();
    expect((await answer).data).toHaveLength(1);
    const { calls } = await subject.control.waitFor({ active: 0 });
    expect(calls.map((call) => call.outcome)).toEqual(['completed']);
  });

  test('is not held when its client has left already', async () => {
    const control = new ImageServerControl(true);
    await expect(control.held(AbortSignal.abort())).rejects.toThrow('aborted');
    expect(control.state().waiting).toBe(0);
  });

  test('is slow', async ({ next, askJson }) => {
    await next({ kind: 'slow', ms: 120 });
    const began = performance.now();
    await askJson();
    expect(performance.now() - began).toBeGreaterThanOrEqual(115);
  });

  test('is never answered; its outcome is recorded when the client disconnects', async ({
    subject,
    next,
    askJson,
  }) => {
    await next({ kind: 'stall-before' });
    const leave = new AbortController();
    const answer = askJson(leave.signal);
    await subject.control.waitFor({ active: 1 });
    leave.abort();
    await expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    const { calls } = await subject.control.waitFor({ active: 0 });
    expect(calls.at(-1)?.outcome).toBe('client-left');
  });
});

describe('a stream', () => {
  test('completes', async ({ askStream }) => {
    expect(await askStream()).toEqual([partial, partial, completed]);
  });

  test('pauses after each preview', async ({ next, askStream }) => {
    await next({ kind: 'slow', ms: 0, previewMs: 120 });
    const began = performance.now();
    const times: number[] = [];
    const seen = await askStream(undefined, () => times.push(performance.now() - began));
    expect(seen).toEqual([partial, partial, completed]);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(115);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(115);
  });

  test('comes late, and its first event byte by byte', async ({ next, askStream }) => {
    await next({
      kind: 'late',
      headersMs: 60,
      eventMs: 60,
      commentsMs: 20,
      dribble: { bytes: 6, everyMs: 10 },
    });
    const began = performance.now();
    let first = 0;
    const seen = await askStream(undefined, () => {
      first ||= performance.now() - began;
    });
    expect(seen).toEqual([partial, partial, completed]);
    expect(first).toBeGreaterThanOrEqual(170);
  });

  test('stalls after a first event that came late', async ({ subject, next, askStream }) => {
    await next({ kind: 'late', headersMs: 10, thenStall: true });
    const leave = new AbortController();
    expect(await askStream(leave.signal, () => leave.abort())).toEqual([partial]);
    expect((await subject.control.waitFor({ active: 0 })).calls.at(-1)?.outcome).toBe('client-left');
  });

  test.for<['comments' | 'event' | 'error', number]>([
    ['comments', 200],
    ['event', 200],
    ['error', 400],
  ])('has %s without an end', async ([what, status], { subject, next }) => {
    await next({ kind: 'endless', what });
    const form = await completeForm();
    form.set('stream', 'true');
    const response = await postForm(subject.server, form);
    expect(response.status).toBe(status);
    let bytes = 0;
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      if (bytes > 1_000_000) break;
    }
    expect(bytes).toBeGreaterThan(1_000_000);
    await subject.control.waitFor({ active: 0 });
  });

  test.for([
    [true, '\n'],
    [false, '}'],
  ] as const)('ends without a blank line', async ([lineEnds, end], { subject, next }) => {
    await next({ kind: 'no-blank-line', lineEnds });
    const form = await completeForm();
    form.set('stream', 'true');
    const text = await (await postForm(subject.server, form)).text();
    expect(text.slice(text.lastIndexOf('event: '))).toMatch(/^event: image_edit.completed\ndata: /);
    expect(text.at(-1)).toBe(end);
    expect(text.endsWith('\n\n')).toBe(false);
  });

  test('stalls after the first partial image', async ({ subject, next, askStream }) => {
    await next({ kind: 'stall' });
    const leave = new AbortController();
    const seen = await askStream(leave.signal, () => leave.abort());
    expect(seen).toEqual([partial]);
    expect((await subject.control.waitFor({ active: 0 })).calls.at(-1)?.outcome).toBe('client-left');
  });

  test.for<[string, Behaviour, string[] | RegExp]>([
    ['is cut off', { kind: 'cut' }, /terminated/],
    ['ends without a completed event', { kind: 'truncate' }, [partial, partial]],
    ['carries a nested error', { kind: 'stream-error', shape: 'nested' }, /had an error while streaming/],
    // Version 6 of the SDK emits it as an event, version 7 throws; neither completes.
    ['carries an error as a line', { kind: 'stream-error', shape: 'line' }, [partial, partial]],
    ['carries a flat error', { kind: 'stream-error', shape: 'flat' }, /error/i],
    ['is not JSON', { kind: 'invalid-response', what: 'not-json' }, /JSON/i],
    ['is a page of HTML', { kind: 'invalid-response', what: 'html' }, []],
  ])('%s', async ([, behaviour, expected], { next, askStream }) => {
    await next(behaviour);
    const outcome = await askStream().catch((error: unknown) => [String(error)]);
    expect(outcome).not.toContain(completed);
    if (expected instanceof RegExp) expect(outcome.at(-1)).toMatch(expected);
    else expect(outcome).toEqual(expected);
  });
});

test.for<[string, string[]]>([
  ['empty-data', []],
  ['not-an-image', ['this is not an image']],
])('an invalid response as JSON: %s', async ([what, images], { next, askJson }) => {
  await next({ kind: 'invalid-response', what } as Behaviour);
  const { data } = await askJson();
  expect(data!.map((image) => Buffer.from(image.b64_json!, 'base64').toString())).toEqual(images);
});

test('an invalid response as JSON: something that is not JSON', async ({ next, askJson }) => {
  await next({ kind: 'invalid-response', what: 'not-json' });
  await expect(askJson()).rejects.toThrow();
});

describe('a useless image', () => {
  const imageOf = async (answer: Promise<{ data?: { b64_json?: string }[] }>) =>
    sharp(Buffer.from((await answer).data?.[0]?.b64_json ?? '', 'base64'));

  test('of one colour, also in a stream', async ({ next, askJson, askStream }) => {
    await next({ kind: 'blank' }, { kind: 'blank' });
    const { channels } = await (await imageOf(askJson())).stats();
    expect(channels.map(({ stdev }) => stdev)).toEqual([0, 0, 0]);
    expect(await askStream()).toEqual([partial, partial, completed]);
  });

  test('that is the photo, in the size asked for', async ({ next, askJson }) => {
    await next({ kind: 'copy' });
    const image = await imageOf(askJson());
    const { width, height } = await image.metadata();
    expect([width, height]).toEqual([1024, 1024]);
    const { data } = await image.raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => [...data.subarray((y * 1024 + x) * 3, (y * 1024 + x) * 3 + 3)];
    expect(pixel(5, 5)).toEqual([255, 255, 255]);
    expect(pixel(512, 512)).toEqual([0xb0, 0x30, 0x20]);
  });

  test('that ignores the mask', async ({ subject, next }) => {
    const size = { width: 1024, height: 1024 } as const;
    const flat = (alpha: number) =>
      sharp({ create: { ...size, channels: 4, background: { r: 90, g: 60, b: 30, alpha } } })
        .png()
        .toBuffer();
    const ask = async () => {
      const mask = sharp(await flat(1)).composite([
        {
          input: { create: { width: 200, height: 200, channels: 4, background: '#000' } },
          blend: 'dest-out',
        },
      ]);
      const type = { type: 'image/png' };
      const answer = await subject.client.images.edit({
        model,
        prompt: 'x',
        image: await toFile(await flat(1), 'image.png', type),
        mask: await toFile(await mask.png().toBuffer(), 'mask.png', type),
      });
      const { data } = await sharp(Buffer.from(answer.data?.[0]?.b64_json ?? '', 'base64'))
        .extract({ left: 10, top: 10, width: 1, height: 1 })
        .raw()
        .toBuffer({ resolveWithObject: true });
      return [...data.subarray(0, 3)];
    };
    expect(await ask()).toEqual([90, 60, 30]);
    await next({ kind: 'ignore-mask' });
    expect(await ask()).not.toEqual([90, 60, 30]);
    expect((await subject.control.state()).calls.map(({ masked }) => masked)).toEqual([true, true]);
  });

  test('is not what this server returns otherwise', async ({ askJson }) => {
    const { channels } = await (await imageOf(askJson())).stats();
    expect(Math.min(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(10);
  });
});

describe('the control endpoint', () => {
  test('sets a default for all calls, which reset removes', async ({ subject, askJson }) => {
    await subject.control.set({
      default: { kind: 'error', status: 503, code: 'server_is_overloaded', type: 'server_error' },
    });
    await expect(askJson()).rejects.toMatchObject({ status: 503 });
    await expect(askJson()).rejects.toMatchObject({ status: 503 });
    await subject.control.reset();
    await askJson();
    expect((await subject.control.state()).calls).toHaveLength(1);
  });

  test('waits for a number of calls', async ({ subject, askJson }) => {
    const seen = subject.control.waitFor({ calls: 3 });
    await Promise.all([askJson(), askJson(), askJson()]);
    expect((await seen).calls.length).toBeGreaterThanOrEqual(3);
  });

  test('rejects unknown behaviours', async ({ subject }) => {
    const response = await fetch(subject.server.controlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ behaviours: [{ kind: 'explode' }] }),
    });
    expect(response.status).toBe(400);
  });
});
