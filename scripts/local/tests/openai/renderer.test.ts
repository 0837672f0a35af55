/** The renderer's process: what its death costs, and that it ends with its server. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, expect, onTestFinished } from 'vitest';
import { createProcessRenderer } from '../../openai/process-renderer.ts';
import type { Renderer, RenderJob } from '../../openai/renderer.ts';

const test = base.skipIf(process.platform !== 'linux');

const job: RenderJob = {
  prompt: 'on a wooden table',
  width: 256,
  height: 256,
  images: [await readFile(join(import.meta.dirname, '../../photos/mug-1.jpg'))],
  outputFormat: 'png',
  outputCompression: 100,
  background: 'opaque',
  variant: 0,
  partialImages: 0,
};

const render = (renderer: Renderer) => renderer.render(job, () => {}, new AbortController().signal);

/** Ids of the running processes that this one has started. */
const children = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

test('closing in the middle of an image ends the process, and nothing else', async () => {
  const before = children();
  const renderer = createProcessRenderer();
  const image = render(renderer);
  const refused = expect(image).rejects.toThrow('the renderer is closed');
  await renderer.close();
  await refused;
  expect(children()).toEqual(before);
});

test('a process that is killed costs its image: the next one gets another process', async () => {
  const before = children();
  const renderer = createProcessRenderer();
  onTestFinished(() => renderer.close());
  const [pid] = children().filter((each) => !before.includes(each));
  const first = expect(render(renderer)).rejects.toThrow('the renderer ended by SIGABRT');
  process.kill(pid!, 'SIGABRT');
  await first;
  expect((await render(renderer)).subarray(1, 4).toString()).toBe('PNG');
});

test('a process without an image ends after a while, and the next image gets another process', async () => {
  const before = children();
  const renderer = createProcessRenderer([], 0);
  onTestFinished(() => renderer.close());
  const ended = () => expect.poll(children).toEqual(before);
  await ended();
  // It does not end while it renders.
  for (let image = 0; image < 2; image += 1) {
    expect((await render(renderer)).subarray(1, 4).toString()).toBe('PNG');
    await ended();
  }
});
