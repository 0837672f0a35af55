import { limits } from '#contract';
import { AppError } from '#shared/platform/errors.ts';
import type { Log } from '#shared/platform/log.ts';
import { StorageError } from '#shared/platform/storage-error.ts';
import { DecoderEnded, type DecoderProcess, startDecoderProcess } from './decoder-process.ts';
import type { JobName, Jobs, NormalisedPhoto, Outcome } from './jobs.ts';
import { bytesToDecode, type PhotoHeader } from './weight.ts';
import { createWeightedSemaphore } from './weighted-semaphore.ts';

/** Unpacks photos outside of the server's process, and no more of them at a time than there is memory for. */
export interface Decoder {
  /**
   * Makes a photo upright, sRGB with eight bits a channel, at most 2,048 pixels a side, and free of metadata.
   * @param path the file as it was uploaded, of a type that is taken
   * @param target where the PNG goes
   * @throws Refusal TOO_MANY_PIXELS or IMAGE_CORRUPT; UNAVAILABLE when too many photos wait; StorageError when a file
   * cannot be read or written
   */
  normalise(path: string, target: string): Promise<NormalisedPhoto>;
  /** @returns an image of ours as a small WebP @throws StorageError; Refusal UNAVAILABLE when too many wait */
  thumbnail(path: string): Promise<Uint8Array>;
  /** Process ids of the decoders that run. */
  pids(): number[];
  /** Ends the decoders; what they are doing, and what waits, comes to UNAVAILABLE. */
  close(): Promise<void>;
}

/** One that is busy with a large photo lets an ordinary one pass at the other; each takes some 70 MB for itself. */
const mostProcesses = 2;

/** When to try again after decoders have ended under a photo, in seconds. */
const retryAfterSeconds = 5;

export interface DecoderOptions {
  /** Processor time for a photo, in seconds. */
  processorSeconds?: number;
  /** Time for a job in all, in seconds. */
  seconds?: number;
}

/** Starts no process before the first photo comes. */
export function createDecoder(log: Log, options: DecoderOptions = {}): Decoder {
  const { processorSeconds = limits.decodeProcessorSeconds, seconds = limits.decodeSeconds } = options;
  const processes: DecoderProcess[] = [];
  let isClosed = false;
  const photos = createWeightedSemaphore({
    weight: limits.decodeBytes,
    atOnce: mostProcesses,
    mostWaiting: limits.decodesWaiting,
    mostWaitSeconds: limits.decodeWaitSeconds,
  });
  // Our own images have at most 2,048 pixels a side, so two of them are little beside a photo.
  const thumbnails = createWeightedSemaphore({
    weight: mostProcesses,
    atOnce: mostProcesses,
    mostWaiting: limits.thumbnailsWaiting,
    mostWaitSeconds: limits.decodeWaitSeconds,
  });

  const start = () => {
    const started = startDecoderProcess();
    // A machine without room for another process may have it by the next photo.
    if (started.pid === undefined) return started;
    processes.push(started);
    void started.ended.then(() => processes.splice(processes.indexOf(started), 1));
    return started;
  };

  /** A process that unpacks no photo, if there is one or may be; else the one with the fewest jobs. */
  const choose = (name: JobName): DecoderProcess => {
    const jobs = (process: DecoderProcess) =>
      process.jobs().length + (process.jobs().includes('normalise') ? 1_000 : 0);
    const [best] = processes.toSorted((a, b) => jobs(a) - jobs(b));
    const isBusy = best?.jobs().includes('normalise');
    if (!best || (name === 'normalise' && isBusy && processes.length < mostProcesses)) return start();
    return best;
  };

  /** Has a job done, once more when its process ends under it. */
  const run = async <Name extends JobName>(
    name: Name,
    given: Jobs[Name]['given'],
  ): Promise<Jobs[Name]['result']> => {
    for (let isFirst = true; ; isFirst = false) {
      if (isClosed) throw new AppError('UNAVAILABLE', { retryAfterSeconds });
      try {
        return resultOf(await choose(name).run(name, given, seconds * 1_000));
      } catch (error) {
        if (!(error instanceof DecoderEnded)) throw error;
        if (isClosed) continue;
        log.error(
          { err: error, job: name },
          isFirst ? 'a decoder ended; its job is done again' : 'and again',
        );
        if (isFirst) continue;
        throw error.crashed
          ? new AppError('IMAGE_CORRUPT', { cause: error })
          : new AppError('UNAVAILABLE', { retryAfterSeconds, cause: error });
      }
    }
  };

  return {
    async normalise(path, target) {
      const header = await run('header', { path });
      refuseTooLarge(header);
      const weight = bytesToDecode(header);
      return photos.use(weight, () => run('normalise', { path, target, weight, processorSeconds }));
    },
    thumbnail: (path) => thumbnails.use(1, () => run('thumbnail', { path })),
    pids: () => processes.map(({ pid }) => pid).filter((pid) => pid !== undefined),
    async close() {
      isClosed = true;
      await Promise.all([...processes].map((process) => process.kill()));
    },
  };
}

/** @throws Refusal of the photo, or StorageError */
function resultOf<Name extends JobName>(outcome: Outcome<Name>): Jobs[Name]['result'] {
  if ('result' in outcome) return outcome.result;
  if ('refused' in outcome) {
    const { refused, message } = outcome;
    if (refused === 'UNAVAILABLE') throw new AppError(refused, { retryAfterSeconds });
    throw new AppError(refused, message === undefined ? {} : { message });
  }
  const { failed, storage } = outcome;
  throw storage ? new StorageError(storage.code, storage.path, failed) : new Error(failed);
}

/** @throws Refusal TOO_MANY_PIXELS, in words about what makes them too many */
function refuseTooLarge(header: PhotoHeader): void {
  const { format, width, height, channelBytes, isProgressive } = header;
  const pixels = width * height;
  if (pixels > limits.photoPixels) throw new AppError('TOO_MANY_PIXELS');
  if (isProgressive && pixels * channelBytes > limits.photoPixelsWhole) {
    const message =
      format === 'jpeg'
        ? 'One of the photos is a progressive JPEG with more than 50 megapixels. Please export it as a baseline JPEG.'
        : 'One of the photos is an interlaced PNG with too many megapixels to open. Please export it without interlacing.';
    throw new AppError('TOO_MANY_PIXELS', { message });
  }
  // AVIF alone takes so many times its pixels.
  if (bytesToDecode(header) > limits.decodeBytes) {
    const message =
      'One of the photos is an AVIF with too many megapixels to open. Please export it as JPEG.';
    throw new AppError('TOO_MANY_PIXELS', { message });
  }
}
