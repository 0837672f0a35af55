import type { DigitalSourceType, Mark } from '#contract';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Credentials } from '#shared/images/credentials.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createFairQueue, type FairQueue } from '#shared/platform/fair-queue.ts';
import { JobProcessEnded, JobTimedOut } from '#shared/platform/job-process.ts';
import type { Log } from '#shared/platform/log.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import { type DecoderProcess, startDecoderProcess } from './decoder-process.ts';
import type { ExportOrder, JobName, Jobs, MaskSize, NormalisedPhoto, Outcome } from './jobs.ts';
import { lightBytes } from './weight.ts';

/** For whom a decoder works: sellers take turns. */
export interface Client {
  sellerId: string;
  /** Aborted when the client disconnects: its jobs that wait are given up with the signal's reason. */
  disconnected?: AbortSignal | undefined;
}

/**
 * Decodes photos in separate processes, as many at a time as the memory budget allows. Every job throws AppError UNAVAILABLE
 * when too many wait, and the signal's reason when its client disconnected before its turn.
 */
export interface Decoder {
  /**
   * Makes a photo upright, sRGB with eight bits per channel, at most 2,048 pixels per side, and free of metadata.
   * @param path the uploaded file
   * @param target path of the JPEG to write, or of the PNG if the photo has transparency
   * @throws AppError TYPE_UNSUPPORTED, IMAGE_TOO_SMALL, TOO_MANY_PIXELS or IMAGE_CORRUPT; StorageError when a file cannot be
   * read or written
   */
  normalise(client: Client, path: string, target: string): Promise<NormalisedPhoto>;
  /** @param sourceType how an image was made; undefined of a photo @returns a small WebP @throws StorageError */
  thumbnail(client: Client, path: string, sourceType?: DigitalSourceType): Promise<Uint8Array>;
  /** @returns the PNG of one of our own images as edited by a recipe @throws StorageError */
  edit(client: Client, order: Jobs['edit']['given']): Promise<Uint8Array>;
  /** @returns where the product of one of our own images is, a small grey PNG @throws StorageError */
  findProduct(client: Client, path: string): Promise<Uint8Array>;
  /** @returns one of our own images as a file for a marketplace, and what was measured @throws StorageError */
  export(client: Client, order: ExportOrder): Promise<Jobs['export']['result']>;
  /**
   * @param size of the image that is to be changed
   * @returns the mask of a change, a PNG that is transparent where it is marked; null if no pixel is marked completely
   */
  drawMask(client: Client, marks: readonly Mark[], size: MaskSize): Promise<Uint8Array | null>;
  /**
   * @param png of somebody else, whose header was checked (plain-png.ts): a PNG of this size
   * @returns the mask as we store it; null if no pixel of it is transparent
   * @throws AppError IMAGE_CORRUPT when it cannot be read
   */
  readMask(client: Client, png: Uint8Array, size: MaskSize): Promise<Uint8Array | null>;
  /** How many jobs with our own images run or wait. */
  imageJobs(): number;
  /** Process ids of the running decoders. */
  pids(): number[];
  /** Kills the decoders; running and waiting jobs are refused with UNAVAILABLE. */
  close(): Promise<void>;
}

/** Two, so that a large photo does not delay small ones. Each takes about 70 MB besides its photos. */
const maxProcesses = 2;

/** Jobs with our own images that run at a time. A ZIP has two of them at most, and only while nobody else has one. */
const maxImageJobs = 3;

/** `Retry-After` of a job whose decoders ended, and of one that could not begin, in seconds. */
const retryAfterSeconds = 5;
const retryWaitingSeconds = 10;

export interface DecoderOptions {
  /** CPU time that a photo may take, in seconds. */
  processorSeconds?: number;
  /** Time that a job may take, in seconds. */
  seconds?: number;
  /** After this time without a job the process that finds products ends, and its memory (400 MB) is free; in seconds. */
  idleSeconds?: number;
  /** The storage's folder, if it is one: decoders may read it, and the temporary folder. */
  folder?: string | undefined;
  /** What signs edited images and exports; none unless given. In this process: those that open photos have no key. */
  credentials?: Credentials | null;
}

/** Jobs that decode a photo. A process does one of them at a time. */
type PhotoJob = 'normaliseIfLight' | 'normalise';

/**
 * Jobs that may have to find a product. The model takes 250 MB then, which would count against a photo that the same process
 * decodes: one process of its own does them.
 */
const isOfProduct = (name: JobName) => name === 'export' || name === 'edit' || name === 'findProduct';

const isOfPhoto = (name: JobName) => name === 'normaliseIfLight' || name === 'normalise';

/** The first process is started with the first job. */
export function createDecoder(log: Log, options: DecoderOptions = {}): Decoder {
  const {
    processorSeconds = serverLimits.decodeProcessorSeconds,
    seconds = serverLimits.decodeSeconds,
    idleSeconds = 300,
    folder,
    credentials = null,
  } = options;
  const processes: DecoderProcess[] = [];
  const ofProducts: DecoderProcess[] = [];
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  const waiting = {
    waitSeconds: serverLimits.decodeWaitSeconds,
    refusal: () => new AppError('UNAVAILABLE', { retryAfterSeconds: retryWaitingSeconds }),
  };
  const photos = createFairQueue({
    atOnce: maxProcesses,
    weight: serverLimits.decodeBytes,
    mostWaiting: serverLimits.decodesWaiting,
    ...waiting,
  });
  // Our own images have at most 2,048 pixels per side: two need little memory compared with a photo. A file that is made of one
  // may be six times as large: no two such at a time.
  const inTurn = createFairQueue({
    atOnce: maxImageJobs,
    weight: 1,
    mostWaiting: serverLimits.imageJobsWaiting,
    mostWaitingOfKey: serverLimits.imageJobsWaitingOfSeller,
    ...waiting,
  });
  let imageJobs = 0;
  const ownImages: FairQueue = async (turn, task) => {
    imageJobs += 1;
    try {
      return await inTurn(turn, task);
    } finally {
      imageJobs -= 1;
    }
  };
  const turnOf = ({ sellerId, disconnected }: Client) => ({ key: sellerId, signal: disconnected });

  const start = (among: DecoderProcess[]) => {
    const started = startDecoderProcess(folder);
    // Not kept if it could not be started: the next job tries again.
    if (started.pid === undefined) return started;
    among.push(started);
    void started.ended.then(() => forget(among, started));
    return started;
  };

  /** A process for a job. Of those for photos and small jobs one that decodes no photo, started if necessary and allowed; else the one with the fewest jobs. */
  const choose = (name: JobName): DecoderProcess => {
    if (isOfProduct(name)) return ofProducts[0] ?? start(ofProducts);
    const jobs = (process: DecoderProcess) =>
      process.jobs().length + (process.jobs().some(isOfPhoto) ? 1_000 : 0);
    const [best] = processes.toSorted((a, b) => jobs(a) - jobs(b));
    const isBusy = best?.jobs().some(isOfPhoto);
    if (!best || (isOfPhoto(name) && isBusy && processes.length < maxProcesses)) return start(processes);
    return best;
  };

  /** Runs a job, and once more if its process ends. */
  const run = async <Name extends JobName>(
    name: Name,
    given: Jobs[Name]['given'],
  ): Promise<Jobs[Name]['result']> => {
    for (let isFirst = true; ; isFirst = false) {
      if (isClosed) throw new AppError('UNAVAILABLE', { retryAfterSeconds });
      if (isOfProduct(name)) clearTimeout(idle);
      try {
        return resultOf(await choose(name).run(name, given, seconds * 1_000));
      } catch (error) {
        if (error instanceof JobTimedOut)
          throw new AppError('UNAVAILABLE', { retryAfterSeconds, cause: error });
        if (!(error instanceof JobProcessEnded)) throw error;
        if (isClosed) continue;
        log.error(
          { err: error, job: name },
          isFirst ? 'a decoder ended; its job is repeated' : 'a decoder ended; its job fails',
        );
        if (isFirst) continue;
        throw error.crashed
          ? new AppError('IMAGE_CORRUPT', { cause: error })
          : new AppError('UNAVAILABLE', { retryAfterSeconds, cause: error });
      } finally {
        if (isOfProduct(name)) endWhenIdle();
      }
    }
  };

  /** Ends what finds products later, unless a job begins before. */
  const endWhenIdle = () => {
    clearTimeout(idle);
    const end = () => {
      for (const each of ofProducts.filter((process) => process.jobs().length === 0)) {
        // At once, so that no job is given to it any more.
        forget(ofProducts, each);
        void each.kill();
      }
    };
    idle = setTimeout(end, idleSeconds * 1_000).unref();
  };

  return {
    async normalise(client, path, target) {
      const decode = <Name extends PhotoJob>(name: Name, weight: number) =>
        photos({ ...turnOf(client), weight }, () => run(name, { path, target, weight, processorSeconds }));
      const photo = await decode('normaliseIfLight', lightBytes);
      return 'weight' in photo ? decode('normalise', photo.weight) : photo;
    },
    thumbnail: (client, path, sourceType) =>
      ownImages(turnOf(client), () => run('thumbnail', { path, sourceType })),
    async edit(client, order) {
      const edited = await ownImages(turnOf(client), () => run('edit', order));
      return credentials ? credentials.sign(Buffer.from(edited), order.sourceType) : edited;
    },
    findProduct: (client, path) => ownImages(turnOf(client), () => run('findProduct', { path })),
    async export(client, order) {
      const { file, facts } = await ownImages({ ...turnOf(client), weight: isLargeFile(order) ? 1 : 0 }, () =>
        run('export', order),
      );
      if (!credentials) return { file, facts };
      const signed = await credentials.sign(Buffer.from(file), order.sourceType);
      const usualBytes = facts.usualBytes + signed.byteLength - file.byteLength;
      return { file: signed, facts: { ...facts, usualBytes } };
    },
    drawMask: (client, marks, size) => ownImages(turnOf(client), () => run('drawMask', { marks, size })),
    // As large as one of our own images.
    readMask: (client, png, size) =>
      ownImages(turnOf(client), () => run('readMask', { png, size, weight: lightBytes, processorSeconds })),
    imageJobs: () => imageJobs,
    pids: () => [...processes, ...ofProducts].map(({ pid }) => pid).filter((pid) => pid !== undefined),
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await Promise.all([...processes, ...ofProducts].map((process) => process.kill()));
    },
  };
}

/** Whether a file is to be larger than our own images are. */
const isLargeFile = ({ rules }: ExportOrder) =>
  rules.some((rule) => rule.kind === 'size' && rule.width * rule.height > limits.imageSide ** 2);

function forget(among: DecoderProcess[], gone: DecoderProcess): void {
  const index = among.indexOf(gone);
  if (index >= 0) among.splice(index, 1);
}

/** @throws AppError if the photo was refused, or StorageError */
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
