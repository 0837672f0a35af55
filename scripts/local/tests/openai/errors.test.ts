/** Error replies of the image server: OpenAI's statuses, codes and bodies. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import type { PhotoProblem } from '../../../../shared/cutout/photo-problem.ts';
import { drawnArm, drawnBox, drawnCarton, drawnPhoto } from '../../openai/scene/test-pictures.ts';
import { startImageServer } from '../../openai/server.ts';
import { completeForm, photoFile, postForm, smallPhoto, testWithServer } from './harness.ts';

const test = testWithServer();
const testRendering = testWithServer({ mode: 'render' });
// The product opens no drawings, the tests do: photos of theirs are drawn as SVG.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

/** The body of a reply about a photo that cannot be used. */
const unusablePhoto = (message: RegExp, problem?: PhotoProblem) => ({
  error: {
    ...(problem && { photo_details: { problem, photo: null } }),
    message: expect.stringMatching(message),
    type: 'image_generation_user_error',
    param: null,
    code: 'invalid_image_file',
  },
});

type Spoil = (form: FormData) => void | Promise<void>;
const photoBlob = async (type = 'image/png') => new Blob([new Uint8Array(await smallPhoto())], { type });

const maskBlob = async (width: number, height: number, channels: 3 | 4 = 4) => {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const mask = await sharp({ create: { width, height, channels, background } }).png().toBuffer();
  return new Blob([new Uint8Array(mask)], { type: 'image/png' });
};

describe('a rejected request', () => {
  test.for<[string, Spoil, string, string]>([
    ['no prompt', (form) => form.delete('prompt'), 'prompt', 'missing_required_parameter'],
    ['a blank prompt', (form) => form.set('prompt', '  '), 'prompt', 'missing_required_parameter'],
    [
      'a prompt of 32,001 characters',
      (form) => form.set('prompt', 'x'.repeat(32_001)),
      'prompt',
      'string_above_max_length',
    ],
    ['no image', (form) => form.delete('image'), 'image', 'missing_required_parameter'],
    [
      '17 images',
      async (form) => {
        for (let count = 0; count < 16; count += 1) form.append('image[]', await photoBlob(), 'more.png');
      },
      'image',
      'array_above_max_length',
    ],
    [
      'an image of 50 MB',
      (form) =>
        form.set('image', new Blob([new Uint8Array(50 * 1024 * 1024)], { type: 'image/png' }), 'big.png'),
      'image',
      'image_too_large',
    ],
    [
      'an image of no declared type',
      async (form) => form.set('image', await photoBlob('application/octet-stream'), 'a.png'),
      'image',
      'unsupported_file_mimetype',
    ],
    ['no model', (form) => form.delete('model'), 'model', 'missing_required_parameter'],
    ['a retired model', (form) => form.set('model', 'gpt-image-1'), 'model', 'model_not_found'],
    ['another size', (form) => form.set('size', '512x512'), 'size', 'invalid_value'],
    ['a size that is no multiple of 16', (form) => form.set('size', '1000x1000'), 'size', 'invalid_value'],
    ['a size that is too narrow', (form) => form.set('size', '640x2048'), 'size', 'invalid_value'],
    ['a size that is too large', (form) => form.set('size', '3072x3072'), 'size', 'invalid_value'],
    [
      'another size with a model of three sizes',
      (form) => {
        form.set('model', 'gpt-image-1.5');
        form.set('size', '2048x2048');
      },
      'size',
      'invalid_value',
    ],
    [
      'a mask of another size than the image',
      async (form) => form.set('mask', await maskBlob(240, 240), 'mask.png'),
      'mask',
      'invalid_mask',
    ],
    [
      'a mask without alpha',
      async (form) => form.set('mask', await maskBlob(320, 240, 3), 'mask.png'),
      'mask',
      'invalid_mask',
    ],
    [
      'a mask that is no PNG',
      async (form) => form.set('mask', await photoBlob('image/jpeg'), 'mask.jpg'),
      'mask',
      'invalid_mask',
    ],
    ['a negative seed', (form) => form.set('seed', '-1'), 'seed', 'invalid_value'],
    ['an unknown quality', (form) => form.set('quality', 'best'), 'quality', 'invalid_value'],
    ['4 partial images', (form) => form.set('partial_images', '4'), 'partial_images', 'invalid_value'],
    ['more than one image', (form) => form.set('n', '2'), 'n', 'invalid_value'],
    ['an unknown parameter', (form) => form.set('moderate', 'low'), 'moderate', 'unknown_parameter'],
    [
      'an identifier of 65 characters',
      (form) => form.set('safety_identifier', 'x'.repeat(65)),
      'safety_identifier',
      'string_above_max_length',
    ],
    [
      'an input fidelity that there is not',
      (form) => {
        form.set('model', 'gpt-image-1.5');
        form.set('input_fidelity', 'max');
      },
      'input_fidelity',
      'invalid_value',
    ],
    ['n of 1.5', (form) => form.set('n', '1.5'), 'n', 'invalid_value'],
    [
      'a transparent JPEG',
      (form) => {
        form.set('background', 'transparent');
        form.set('output_format', 'jpeg');
      },
      'background',
      'invalid_value',
    ],
  ])('%s', async ([, spoil, param, code], { subject }) => {
    const form = await completeForm();
    await spoil(form);
    const response = await postForm(subject.server, form);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(await response.json()).toEqual({
      error: { message: expect.stringMatching(/\S/), type: 'invalid_request_error', param, code },
    });
  });

  test('text that says it is a PNG', async ({ subject }) => {
    const form = await completeForm();
    form.set('image', new Blob(['hello'], { type: 'image/png' }), 'a.png');
    const response = await postForm(subject.server, form);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(unusablePhoto(/image 1/));
  });

  test.for<[string, Record<string, string>]>([
    ['no key', {}],
    ['an empty key', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic abc' }],
  ])('%s', async ([, headers], { subject }) => {
    const response = await postForm(subject.server, await completeForm(), headers);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
  });

  test('JSON instead of a form', async ({ subject }) => {
    const response = await fetch(`${subject.server.url}/images/edits`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(400);
  });

  test('an unknown route', async ({ subject }) => {
    const response = await fetch(`${subject.server.url}/images/variations`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'unknown_url' } });
  });
});

describe('an accepted request', () => {
  test('can have its parts in any order, and 16 images', async ({ subject }) => {
    const form = new FormData();
    for (let count = 0; count < 16; count += 1) form.append('image[]', await photoBlob(), `${count}.png`);
    form.set('size', '1536x1024');
    form.set('prompt', 'x'.repeat(32_000));
    form.set('model', 'gpt-image-2.5-sunburst');
    const response = await postForm(subject.server, form);
    expect(response.status).toBe(200);
    const body = (await response.json()) as {
      size: string;
      usage: { input_tokens_details: { image_tokens: number } };
    };
    expect(body.size).toBe('1536x1024');
    expect(body.usage.input_tokens_details.image_tokens).toBe(16 * 300);
  });

  test.for(['2048x2048', '1024x1536', '1280x720'])(
    'can have any size that the model makes: %s',
    async (size, { subject }) => {
      const form = await completeForm();
      form.set('size', size);
      const response = await postForm(subject.server, form);
      const body = (await response.json()) as { size: string; data: { b64_json: string }[] };
      const { width, height } = await sharp(Buffer.from(body.data[0]!.b64_json, 'base64')).metadata();
      expect([body.size, `${width}x${height}`]).toEqual([size, size]);
    },
  );

  test('can use the quality xhigh only with model 2.5', async ({ subject }) => {
    const ask = async (model: string) => {
      const form = await completeForm();
      form.set('model', model);
      form.set('quality', 'xhigh');
      return (await postForm(subject.server, form)).status;
    };
    expect(await ask('gpt-image-2.5-flare')).toBe(200);
    expect(await ask('gpt-image-2')).toBe(400);
  });
});

describe('an unusable photo in render mode', () => {
  const blank = () =>
    sharp({ create: { width: 640, height: 480, channels: 3, background: '#808080' } })
      .jpeg()
      .toBuffer();
  const boxes = (top: number) =>
    drawnBox(20, top, '#5b7a3d') + drawnBox(230, top, '#8a3b2a') + drawnBox(440, top, '#2a4a8a');
  const besideAnArm =
    drawnArm + drawnBox(225, 180, '#20457c') + drawnBox(370, 180, '#8a3b2a') + drawnBox(510, 180, '#2a8a4a');
  const truncated = async () => {
    const photo = await readFile(join(import.meta.dirname, '../../photos/mug-1.jpg'));
    return photo.subarray(0, photo.length / 2);
  };

  testRendering.for<[string, () => Promise<Buffer>, RegExp, PhotoProblem]>([
    ['without a product', blank, /^No product stands out in the photo\. \S/, 'nothing-salient'],
    [
      'of a product that a hand holds',
      () => drawnPhoto(drawnArm + drawnCarton),
      /^A hand holds the product/,
      'held',
    ],
    [
      'of a product in its corner',
      () => drawnPhoto(drawnBox(510, 390, '#20457c')),
      /^The product is cut off/,
      'cropped',
    ],
    ['of several products', () => drawnPhoto(boxes(190)), /^The product cannot be separated/, 'inseparable'],
    // What the seller can change is named, rather than that it cannot be cut out.
    ['of several products at the frame', () => drawnPhoto(boxes(420)), /^The product is cut off/, 'cropped'],
    ['of several products in a hand', () => drawnPhoto(besideAnArm), /^A hand holds the product/, 'held'],
    ['that is truncated', truncated, /^Invalid image file/, 'unreadable'],
  ])('%s', async ([, photo, message, problem], { subject }) => {
    const form = await completeForm();
    form.set('image', new Blob([new Uint8Array(await photo())], { type: 'image/jpeg' }), 'a.jpg');
    const response = await postForm(subject.server, form);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(unusablePhoto(message, problem));

    form.set('stream', 'true');
    form.set('partial_images', '2');
    const streamed = await postForm(subject.server, form);
    // The headers of a stream are sent before the photo is examined.
    expect(streamed.status).toBe(200);
    const [frame, ...further] = (await streamed.text()).split('\n\n');
    expect(further).toEqual(['']);
    const [event, data] = frame!.split('\n');
    expect(event).toBe('event: error');
    expect(JSON.parse(data!.replace(/^data: /, ''))).toEqual(unusablePhoto(message, problem));
    expect((await subject.control.state()).calls.slice(-2)).toMatchObject([
      { outcome: 'failed' },
      { outcome: 'failed' },
    ]);
  });
});

test('a server without control has no control endpoint', async () => {
  const server = await startImageServer({ mode: 'instant' });
  try {
    expect((await fetch(server.controlUrl)).status).toBe(404);
    expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
  } finally {
    await server.close();
  }
});

test('a port in use is an error', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  try {
    await expect(startImageServer({ port, mode: 'instant' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  } finally {
    taken.close();
  }
});

test('the SDK sends an image by its bytes and type', async ({ subject }) => {
  await subject.client.images.edit({ model: 'gpt-image-2', prompt: 'x', image: await photoFile() });
  const { calls } = await subject.control.state();
  expect(calls.at(-1)).toMatchObject({
    model: 'gpt-image-2',
    images: [{ width: 320, height: 240, format: 'png' }],
  });
});

test.for([
  ['gpt-image-2.5-flare', 'high'],
  ['gpt-image-2', 'low'],
  ['gpt-image-1-mini', 'high'],
])('%s refuses an input fidelity of %s', async ([model, fidelity], { subject }) => {
  const form = await completeForm();
  form.set('model', model!);
  form.set('input_fidelity', fidelity!);
  const response = await postForm(subject.server, form);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { param: 'input_fidelity', code: 'invalid_input_fidelity_model' },
  });
});

test('models: all, one, and one that does not exist', async ({ subject }) => {
  const { client } = subject;
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toContain('gpt-image-2.5-flare');
  expect(await client.models.retrieve('gpt-image-2')).toMatchObject({ id: 'gpt-image-2', object: 'model' });
  await expect(client.models.retrieve('gpt-image-1')).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
  expect((await fetch(`${subject.server.url}/models`)).status).toBe(401);
});
