/** OpenAI's SDK with the local image server. */
import OpenAI from 'openai';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { startImageServer } from '../../openai/server.ts';
import { productPhoto, testWithServer } from './harness.ts';

const test = testWithServer({ mode: 'render' });

const model = 'gpt-image-2.5-flare';

describe('the SDK', () => {
  test('receives a rendered image as JSON, with usage and a request id', async ({ subject }) => {
    const answer = await subject.client.images
      .edit({
        model,
        prompt: 'on a wooden table',
        image: await productPhoto(),
        size: '1024x1024',
        quality: 'medium',
      })
      .withResponse();
    expect(answer.request_id).toMatch(/^req_[0-9a-f]{32}$/);
    const image = Buffer.from(answer.data.data?.[0]?.b64_json ?? '', 'base64');
    const { width, height, format } = await sharp(image).metadata();
    expect({ width, height, format }).toEqual({ width: 1024, height: 1024, format: 'png' });
    const usage = answer.data.usage;
    expect(usage?.output_tokens).toBe(439);
    expect(usage?.input_tokens_details).toEqual({ text_tokens: 5, image_tokens: 1102 });
    expect(usage?.total_tokens).toBe(1102 + 5 + 439);
  });

  test('receives partial images and then the completed one as a stream', async ({ subject }) => {
    const stream = await subject.client.images.edit({
      model,
      prompt: 'studio photograph',
      image: [await productPhoto('a.jpg'), await productPhoto('b.jpg')],
      size: '1024x1536',
      output_format: 'webp',
      stream: true,
      partial_images: 2,
    });
    const types: string[] = [];
    const images: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      images.push(event.b64_json);
      const { width, height, format } = await sharp(Buffer.from(event.b64_json, 'base64')).metadata();
      expect({ width, height, format }).toEqual({ width: 1024, height: 1536, format: 'webp' });
      if (event.type === 'image_edit.completed') expect(event.usage.output_tokens).toBe(343 + 200);
      else expect(event.partial_image_index).toBe(types.length - 1);
    }
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.partial_image', 'image_edit.completed']);
    expect(new Set(images).size).toBe(3);
    const [call] = (await subject.control.state()).calls.slice(-1);
    expect(call?.images.map((image) => image.format)).toEqual(['jpeg', 'jpeg']);
    expect(call?.outcome).toBe('completed');
  });

  test('receives equal pixels for equal requests, different ones for another description', async ({
    subject,
  }) => {
    const ask = async (prompt: string) => {
      const answer = await subject.client.images.edit({ model, prompt, image: await productPhoto() });
      return answer.data?.[0]?.b64_json;
    };
    const [first, again, other] = await Promise.all([
      ask('on marble'),
      ask('on marble'),
      ask('on dark slate'),
    ]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test('throws its own error classes', async ({ subject }) => {
    const refused = subject.client.images.edit({
      model: 'gpt-image-1',
      prompt: 'x',
      image: await productPhoto(),
    });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'model_not_found', param: 'model' });
    await expect(refused).rejects.toMatchObject({ requestID: expect.stringMatching(/^req_/) });
  });
});

test('a varied server answers equal requests with different images', async () => {
  const server = await startImageServer({ varied: true });
  try {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: server.url, maxRetries: 0 });
    const ask = async () => {
      const answer = await client.images.edit({ model, prompt: 'on oak', image: await productPhoto() });
      return answer.data?.[0]?.b64_json;
    };
    expect(await ask()).not.toBe(await ask());
  } finally {
    await server.close();
  }
});

test('with distinct images no two PNG files are the same, and all show the same', async () => {
  const server = await startImageServer({ mode: 'instant', distinct: true });
  try {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: server.url, maxRetries: 0 });
    const ask = async () => {
      const answer = await client.images.edit({ model, prompt: 'on oak', image: await productPhoto() });
      return Buffer.from(answer.data![0]!.b64_json!, 'base64');
    };
    const images = [await ask(), await ask()] as const;
    expect(images[0].equals(images[1])).toBe(false);
    const [first, second] = await Promise.all(images.map((image) => sharp(image).raw().toBuffer()));
    expect(first!.equals(second!)).toBe(true);
    expect((await sharp(images[1]).metadata()).comments).toEqual([{ keyword: 'Comment', text: '2' }]);
  } finally {
    await server.close();
  }
});
