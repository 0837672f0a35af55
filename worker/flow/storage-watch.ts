import type { Config } from '#shared/platform/config.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { logStorageError, StorageError } from '#shared/storage/storage-error.ts';
import type { Obstacle } from './obstacle.ts';
import { failures } from './retry-policy.ts';

/** Knows whether this worker can store images. Another worker's folder may work while this one's fails. */
export interface StorageWatch {
  /** Checks the folder. @returns the obstacle if no image can be stored */
  check(): Promise<Obstacle | undefined>;
  /** Records a failed operation on the folder. @returns the obstacle */
  recordFailure(error: StorageError): Obstacle;
  /** Calls the listener when the folder begins to fail, and when it works again. */
  onChange(listener: (fails: boolean) => void): void;
  /** Stops checking. */
  stop(): void;
}

/** Uploads leave a reserve for images. A call begins only while at least this part of the reserve is free. */
export const partOfReserve = 1 / 4;

/** Watches the storage folder of a worker. Once it fails, it is checked periodically until it works. */
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
  // As for a refused account: the operator has to act.
  const longestMs = config.image.longestWaitMs.account;
  let listener: (fails: boolean) => void = () => {};
  let failing: { since: Date; timer: NodeJS.Timeout } | undefined;
  let stopped = false;

  async function check(): Promise<Obstacle | undefined> {
    try {
      await storage.checkRoom(config.storageReserveBytes * partOfReserve);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return recordFailure(error);
    }
    if (failing) {
      clearTimeout(failing.timer);
      log.info({ since: failing.since }, 'storage: images can be stored again');
      failing = undefined;
      listener(false);
    }
    return undefined;
  }

  function recordFailure(error: StorageError): Obstacle {
    logStorageError(log, error);
    if (!failing) {
      failing = { since: new Date(), timer: planCheck() };
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

  function planCheck(): NodeJS.Timeout {
    return setTimeout(async () => {
      await check().catch((error) => log.warn({ err: error }, 'the storage folder could not be checked'));
      if (!failing || stopped) return;
      // Generations that have waited too long must be claimed to be failed, so jobs are taken again.
      if (Date.now() - failing.since.getTime() >= longestMs) listener(false);
      failing.timer = planCheck();
    }, everyMs);
  }

  return {
    check,
    recordFailure,
    onChange(call) {
      listener = call;
    },
    stop() {
      stopped = true;
      clearTimeout(failing?.timer);
    },
  };
}
