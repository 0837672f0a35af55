/**
 * Renders in a worker thread, so that the server's event loop stays free. There is only one: the model uses all cores
 * by itself, and a second thread would use 400 MB more to render 18 % more images.
 */
import { Worker } from 'node:worker_threads';
import { PhotoError, type PhotoProblem } from './photo-error.ts';
import type { Renderer, RenderJob } from './renderer.ts';

/** A message to the render thread. `cancelled` is set to 1 when the image is no longer needed. */
export interface RenderOrder {
  id: number;
  job: RenderJob;
  cancelled: Int32Array;
}

/**
 * A message from the render thread. `failed` carries the error's message and, if a photo caused it, the problem with
 * the photo, because an error's class is lost between threads.
 */
export type RenderReport =
  | { id: number; kind: 'partial' | 'finished'; image: Uint8Array }
  | { id: number; kind: 'failed'; message: string; photoProblem: PhotoProblem | undefined };

interface Task {
  order: RenderOrder;
  onPartial: (image: Buffer) => void;
  resolve: (image: Buffer) => void;
  reject: (reason: unknown) => void;
}

function errorOf({ message, photoProblem }: Extract<RenderReport, { kind: 'failed' }>): Error {
  return photoProblem === undefined ? new Error(message) : new PhotoError(photoProblem);
}

/** Starts the thread, which loads the model at once, so that the first request is fast. */
export function createWorkerRenderer(): Renderer {
  const waiting: Task[] = [];
  let current: Task | undefined;
  let nextId = 1;
  let closing = false;

  const startThread = (): Worker => {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url));
    worker.on('message', (report: RenderReport) => {
      if (current === undefined || report.id !== current.order.id) return;
      const task = current;
      if (report.kind === 'partial') {
        task.onPartial(Buffer.from(report.image));
        return;
      }
      current = undefined;
      if (report.kind === 'failed') task.reject(errorOf(report));
      else task.resolve(Buffer.from(report.image));
      handOut();
    });
    // A thread that dies (out of memory, for example) loses its job; the next job gets a new thread.
    worker.on('error', (error) => {
      current?.reject(error);
      current = undefined;
      if (closing) return;
      thread = startThread();
      handOut();
    });
    return worker;
  };

  const handOut = (): void => {
    if (current !== undefined) return;
    current = waiting.shift();
    if (current !== undefined) thread.postMessage(current.order);
  };

  let thread = startThread();

  return {
    async render(job, onPartial, signal) {
      signal.throwIfAborted();
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      const order = { id: nextId++, job, cancelled };
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const task: Task = {
        order,
        onPartial: (image) => {
          if (!signal.aborted) onPartial(image);
        },
        resolve,
        reject,
      };
      const leave = (): void => {
        Atomics.store(cancelled, 0, 1);
        const place = waiting.indexOf(task);
        if (place >= 0) waiting.splice(place, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(task);
      handOut();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    async close() {
      closing = true;
      await thread.terminate();
    },
  };
}
