import { Worker } from 'node:worker_threads';
import type { PhotoSubject } from '#contract';
import type { Log } from '#shared/platform/log.ts';
import type { MatchOrder, MatchReport } from './match-order.ts';
import type { MatchPhoto, ProductMatch } from './match-product.ts';

/** Compares images with their photos in a thread of its own, so that the worker's queue and streams go on meanwhile. */
export interface ProductMatcher {
  /**
   * Finds the products of photos in advance: most of the time of a comparison. For several photos of one product only the
   * first one's, because the others may not be needed.
   */
  prepare(photos: readonly MatchPhoto[], photosShow: PhotoSubject): void;
  /** @returns null if it cannot be judged, also because the comparison failed or took too long; it never throws */
  match(photos: readonly MatchPhoto[], image: Buffer, photosShow: PhotoSubject): Promise<ProductMatch | null>;
  close(): Promise<void>;
}

/** The longest time for one image, in ms: the seller waits for it. Loading the model and OpenCV takes about 1 s. */
const longestMs = 8_000;

/** The thread starts with the first image. */
export function createProductMatcher(log: Log): ProductMatcher {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let nextId = 1;

  function start(): Worker {
    const started = new Worker(new URL('./match-thread.ts', import.meta.url));
    // A process that has nothing else to do ends.
    started.unref();
    return started;
  }

  async function run(order: MatchOrder): Promise<ProductMatch | null> {
    thread ??= start();
    try {
      const report = await answerOf(thread, order);
      if ('match' in report) return report.match;
      log.warn({ reason: report.error }, 'an image was not compared with its photos');
    } catch (error) {
      // The thread died, or is busy for too long: the next image gets another one.
      log.warn({ err: error }, 'an image was not compared with its photos');
      const dead = thread;
      thread = undefined;
      await dead?.terminate();
    }
    return null;
  }

  function enqueue(order: Omit<MatchOrder, 'id'>): Promise<ProductMatch | null> {
    const id = nextId;
    nextId += 1;
    const result = last.then(() => run({ id, ...order }));
    last = result;
    return result;
  }

  return {
    prepare(photos, photosShow) {
      const needed = photosShow === 'one-product' ? photos.slice(0, 1) : photos;
      // One by one, so that an image that is ready waits for one photo at most.
      for (const photo of needed) void enqueue({ photos: [photo], image: null, photosShow });
    },
    match(photos, image, photosShow) {
      return enqueue({ photos: [...photos], image, photosShow });
    },
    async close() {
      await last;
      await thread?.terminate();
    },
  };
}

/** @throws when the thread dies, or does not answer in time */
function answerOf(thread: Worker, order: MatchOrder): Promise<MatchReport> {
  const { promise, resolve, reject } = Promise.withResolvers<MatchReport>();
  const onMessage = (report: MatchReport & { id: number }) => {
    if (report.id === order.id) resolve(report);
  };
  const onExit = () => reject(new Error('the thread ended'));
  const timeout = setTimeout(() => reject(new Error(`no answer in ${longestMs} ms`)), longestMs);
  thread.on('message', onMessage).once('error', reject).once('exit', onExit);
  thread.postMessage(order);
  return promise.finally(() => {
    clearTimeout(timeout);
    thread.off('message', onMessage).off('error', reject).off('exit', onExit);
  });
}
