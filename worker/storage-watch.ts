import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Storage } from '#shared/platform/storage.ts';
import { logStorageError, StorageError } from '#shared/platform/storage-error.ts';
import type { Obstacle } from './postpone.ts';
import { failures } from './retry-policy.ts';

/** Knows whether this worker could store an image. Its own folder may fail where another worker's does not. */
export interface StorageWatch {
  /** Looks, before a provider call. @returns what stands in the way of it, if anything */
  look(): Promise<Obstacle | undefined>;
  /** The storage failed in the middle of something. @returns what stands in the way now */
  noteFailure(error: StorageError): Obstacle;
  /** Calls back when images can no longer be stored, and when they can again. */
  onChange(listener: (fails: boolean) => void): void;
  /** Looks no more. */
  stop(): void;
}

/** Uploads leave room for what is being made; a call begins while at least this part of it is there. */
const partOfReserve = 1 / 4;

/** Watches the storage folder for a worker: once it fails it is looked at again and again until it works. */
export function watchStorage({
  config,
  storage,
  log,
}: {
  config: Pick<Config, 'storageReserveBytes' | 'worker' | 'image'>;
  storage: Storage;
  log: Log;
}): StorageWatch {
  const everyMs = config.worker.upkeepIntervalMs;
  // It is a person that a folder waits for, as a refused account does.
  const longestMs = config.image.longestWaitMs.account;
  let listener: (fails: boolean) => void = () => {};
  let failing: { since: Date; timer: NodeJS.Timeout } | undefined;
  let stopped = false;

  async function look(): Promise<Obstacle | undefined> {
    try {
      await storage.checkRoom(config.storageReserveBytes * partOfReserve);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return noteFailure(error);
    }
    if (failing) {
      clearTimeout(failing.timer);
      log.info({ since: failing.since }, 'storage: images can be stored again');
      failing = undefined;
      listener(false);
    }
    return undefined;
  }

  function noteFailure(error: StorageError): Obstacle {
    logStorageError(log, error);
    if (!failing) {
      failing = { since: new Date(), timer: planLook() };
      listener(true);
    }
    return {
      waitingFor: 'worker',
      reason: `storage: ${error.message}`,
      since: failing.since,
      until: new Date(Date.now() + everyMs),
      longestMs,
      code: failures.account,
    };
  }

  function planLook(): NodeJS.Timeout {
    return setTimeout(async () => {
      await look().catch((error) => log.warn({ err: error }, 'the storage was not looked at'));
      if (!failing || stopped) return;
      // Those that have waited too long are taken up, to be told so.
      if (Date.now() - failing.since.getTime() >= longestMs) listener(false);
      failing.timer = planLook();
    }, everyMs);
  }

  return {
    look,
    noteFailure,
    onChange(call) {
      listener = call;
    },
    stop() {
      stopped = true;
      clearTimeout(failing?.timer);
    },
  };
}
