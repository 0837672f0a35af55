/** Shared by the image server's tests: a server, its clients, and small photos. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { test as base } from 'vitest';
import { createImageServerControl, type ImageServerControlClient } from '../../openai/control-client.ts';
import { type ImageServer, type ImageServerOptions, startImageServer } from '../../openai/server.ts';

/** A running server with OpenAI's client and the control client. */
interface Subject {
  server: ImageServer;
  client: OpenAI;
  control: ImageServerControlClient;
}

/**
 * `test` with the fixture `subject`: one server for the file, which each test finds without calls and behaviours. Its
 * default `mode` is `instant`.
 */
export function testWithServer(options: ImageServerOptions = {}) {
  return (
    base
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
      .extend('started', { scope: 'file' }, async ({}, { onCleanup }): Promise<Subject> => {
        const server = await startImageServer({ mode: 'instant', control: true, ...options });
        onCleanup(() => server.close());
        const client = new OpenAI({ apiKey: 'sk-test', baseURL: server.url, maxRetries: 0 });
        return { server, client, control: createImageServerControl(server.controlUrl) };
      })
      .extend('subject', async ({ started }) => {
        await started.control.reset();
        return started;
      })
  );
}

/** The bytes of a small PNG: a red disc on white. */
export async function smallPhoto(): Promise<Buffer> {
  const disc =
    '<svg width="320" height="240"><rect width="320" height="240" fill="white"/><circle cx="160" cy="120" r="80" fill="#b03020"/></svg>';
  return sharp(Buffer.from(disc)).png().toBuffer();
}

/** The same photo as a file for the SDK. */
export async function photoFile(name = 'product.png') {
  return toFile(await smallPhoto(), name, { type: 'image/png' });
}

/** A photo of a real product as a file for the SDK, for servers that render. */
export async function productPhoto(name = 'product.jpg') {
  const file = join(import.meta.dirname, '../../photos/mug-1.jpg');
  return toFile(await readFile(file), name, { type: 'image/jpeg' });
}

/** A form with every required field, which tests modify. */
export async function completeForm(): Promise<FormData> {
  const form = new FormData();
  form.set('model', 'gpt-image-2.5-flare');
  form.set('prompt', 'on a wooden table');
  form.set('image', new Blob([new Uint8Array(await smallPhoto())], { type: 'image/png' }), 'product.png');
  return form;
}

/** Sends a form without the SDK. */
export async function postForm(
  server: ImageServer,
  form: FormData,
  headers: Record<string, string> = { authorization: 'Bearer sk-test' },
): Promise<Response> {
  return fetch(`${server.url}/images/edits`, { method: 'POST', body: form, headers });
}
