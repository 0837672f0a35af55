import type { Log } from '#shared/platform/log.ts';
import { type Storage, storageKeys } from '#shared/storage/storage.ts';
import { logIfStorageFails } from '#shared/storage/storage-error.ts';
import type { ProductMatcher } from './product-matcher.ts';

/** Where the products of photos are: each photo is cut out once, and its cutout is kept beside it and removed with it. */
export interface PhotoCutouts {
  /**
   * @param stored called when a new cutout has been stored
   * @returns the cutout of a photo, which is made if there is none; undefined if there is no photo
   * @throws as `ProductMatcher.cutOut` does, and StorageError when the photo cannot be read
   */
  of(photoKey: string, stored: () => Promise<void>): Promise<Uint8Array | undefined>;
}

export function createPhotoCutouts(
  { storage, log }: { storage: Storage; log: Log },
  matcher: Pick<ProductMatcher, 'cutOut'>,
): PhotoCutouts {
  /** Of photos that are being cut out: those of a set are wanted by all its takes at about the same time. */
  const making = new Map<string, Promise<Uint8Array | undefined>>();

  async function storedOrMade(key: string, stored: () => Promise<void>): Promise<Uint8Array | undefined> {
    const known = await storage.get(storageKeys.cutout(key));
    if (known) return known;
    const made = await storage.withFile(key, (path) => matcher.cutOut({ key, path }));
    // If it cannot be stored, it is made again next time.
    if (made) await storage.put(storageKeys.cutout(key), made).then(stored, logIfStorageFails(log));
    return made;
  }

  function sharedCutout(key: string, stored: () => Promise<void>): Promise<Uint8Array | undefined> {
    const running = making.get(key);
    if (running) return running;
    const cutout = storedOrMade(key, stored).finally(() => making.delete(key));
    making.set(key, cutout);
    return cutout;
  }

  return {
    of(key, stored) {
      const isMade = making.has(key);
      const cutout = sharedCutout(key, stored);
      // A failure of whoever began, whose process was killed for instance, need not be that of those who waited for it.
      return isMade ? cutout.catch(() => sharedCutout(key, stored)) : cutout;
    },
  };
}
