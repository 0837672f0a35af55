/** The render thread: takes orders one after the other and reports their stages and results. */
import { parentPort } from 'node:worker_threads';
import { loadOpenCv } from './cutout/grabcut.ts';
import { renderImage } from './scene/render.ts';
import type { RenderOrder, RenderReport } from './worker-renderer.ts';

const port = parentPort;
if (port === null) throw new Error('render-worker.ts runs as a worker thread only');

// Loaded before the first order, so that it does not have to wait.
await loadOpenCv();

port.on('message', async ({ id, job, cancelled }: RenderOrder) => {
  const report = (message: RenderReport): void => port.postMessage(message);
  try {
    const image = await renderImage(job, {
      onPartial: (partial) => report({ id, kind: 'partial', image: partial }),
      isCancelled: () => Atomics.load(cancelled, 0) === 1,
    });
    report({ id, kind: 'finished', image });
  } catch (error) {
    report({
      id,
      kind: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
