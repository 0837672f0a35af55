import type { Readable } from 'node:stream';

/** A range of bytes: the first and the last one, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A key that exists, and the length of its bytes. */
export interface StoredFile {
  key: string;
  bytes: number;
}

/** Addresses at which browsers get files from the storage itself. */
export interface PresignedAddresses {
  /** Origin of all of them. */
  origin: string;
  /**
   * The address of a key, which need not exist. It works for five to ten minutes, for everyone who has it.
   * @param reply headers of the storage's reply: `Content-Type`, `Content-Disposition` and `Cache-Control`
   * @throws StorageError
   */
  of(
    key: string,
    reply: { type: string; disposition: string | undefined; cacheControl: string },
  ): Promise<string>;
}

/**
 * Photos, previews and images by key, and the assets of releases of the web app. Keys never contain names that a client sent.
 * All methods throw StorageError when the storage fails. A key has all of its bytes, or does not exist; what is stored, except for
 * previews, outlasts a power failure.
 */
export interface Storage {
  /** The storage as operators know it: its folder, or the bucket and prefix. */
  readonly name: string;
  /** Undefined for a folder, which browsers cannot access. */
  readonly presigned: PresignedAddresses | undefined;
  /** Stores bytes under a key. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Stores a file of this machine, such as one at a `newWorkPath`, under a key. The file is gone afterwards. */
  putFile(key: string, path: string): Promise<void>;
  /**
   * Stores what a stream has under a key. Memory does not grow with its length.
   * @param open opens the stream, once for each try
   * @param bytes the length; with another one nothing is stored
   */
  putStream(key: string, open: () => Readable, bytes: number): Promise<void>;
  /** @returns the bytes, or undefined if the key does not exist */
  get(key: string): Promise<Buffer | undefined>;
  has(key: string): Promise<boolean>;
  /**
   * Runs a step that needs the bytes in a file of this machine, such as another process that decodes it.
   * @param step gets the path, which is valid until the step has ended; it must not change the file
   * @returns what the step returned, or undefined if the key does not exist
   */
  withFile<Value>(key: string, step: (path: string) => Promise<Value>): Promise<Value | undefined>;
  /** @returns the length in bytes, or undefined if the key does not exist */
  sizeOf(key: string): Promise<number | undefined>;
  /**
   * @param range of the stream; the whole file by default
   * @returns a stream and the length of the whole file in bytes, or undefined if the key does not exist
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number } | undefined>;
  /**
   * All keys of sellers' files, in no certain order. Those that are stored or removed meanwhile may be missing. The files of
   * releases are not among them: each server stores those of its own again.
   */
  list(): AsyncIterable<StoredFile>;
  /**
   * Removes what the attempts of one generation stored: previews, and images.
   * @param keptImage the key of the image that stays, with its thumbnail
   */
  removeAttempts(generationId: string, keptImage: string | undefined): Promise<void>;
  /** Removes the edited images of one generation and their thumbnails. */
  removeEdited(generationId: string): Promise<void>;
  /** Removes everything of one generation, except photos that it shares with others. */
  removeGeneration(generationId: string): Promise<void>;
  /** Removes the photos of a set, with what is kept beside them. @param kept keys of photos that stay; none by default */
  removePhotoSet(photoSetId: string, kept?: ReadonlySet<string>): Promise<void>;
  /** Removes the files of a look. */
  removeLook(lookId: string): Promise<void>;
  /** Removes the files of a release of the web app. */
  removeRelease(releaseId: string): Promise<void>;
  /**
   * Checks that files can be stored, at most once a second.
   * @param bytes that must be free, where the storage knows how many are
   * @throws StorageError when the storage is the wrong one, cannot be written or has less space
   */
  checkRoom(bytes: number): Promise<void>;
  /** A path on this machine for a file that is being written, such as an upload. Its folder exists after `checkRoom`. */
  newWorkPath(): string;
  /** Removes files at work paths, and of `put`, that were last written before a time. @returns how many */
  sweepWork(before: Date): Promise<number>;
}

/** Every key of sellers' files is in one of these folders. */
export const keyRoots = ['generations', 'photo-sets', 'looks'] as const;

/** The folders of keys: of a generation, of a set of photos, of a look, and of a release of the web app. */
export const keyFolders = {
  generation: (generationId: string) => `generations/${generationId}`,
  photoSet: (photoSetId: string) => `photo-sets/${photoSetId}`,
  look: (lookId: string) => `looks/${lookId}`,
  release: (releaseId: string) => `releases/${releaseId}`,
};

/** The beginnings of the names of images, previews and edited images in the folder of their generation. */
export const keyPrefixes = { image: 'image-', preview: 'preview-', edited: 'edited-' } as const;

/** Whether a key is one of photos, or that of what is kept beside one. */
export function isOfPhoto(key: string, photos: ReadonlySet<string>): boolean {
  return (
    photos.has(key) ||
    [thumbnailEnding, cutoutEnding].some(
      (ending) => key.endsWith(ending) && photos.has(key.slice(0, -ending.length)),
    )
  );
}

const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);

/** Whether a key is one of previews. */
export const isPreview = (key: string): boolean => nameOf(key).startsWith(keyPrefixes.preview);

/** Whether a key of a generation's folder is what an attempt stored, other than the image that stays. */
export function belongsToAttempt(key: string, keptImage: string | undefined): boolean {
  if (isPreview(key)) return true;
  return nameOf(key).startsWith(keyPrefixes.image) && !(keptImage !== undefined && key.startsWith(keptImage));
}

/**
 * The formats of stored photos: PNG for those with transparency, and for all that were stored before there were JPEGs
 * (docs/decisions/0076-cost-of-a-generation.md).
 */
export type StoredPhotoFormat = 'jpeg' | 'png';
/** The formats of stored previews: WebP for those with transparency. */
export type StoredPreviewFormat = 'jpeg' | 'webp';
const thumbnailEnding = '.thumbnail.webp';
const cutoutEnding = '.cutout.png';
const extensions = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const;

/**
 * The keys of the files of generations, of the photos of sets, of the pictures of looks, and of releases of the web app. The
 * key of a photo that is stored is read from its row, since its extension depends on its format.
 */
export const storageKeys = {
  photo: (photoSetId: string, index: number, format: StoredPhotoFormat) =>
    `${keyFolders.photoSet(photoSetId)}/photo-${index}.${extensions[format]}`,
  /** A photo of a batch, by the SHA-256 of the upload: the photos of a batch are one set, which has its id. */
  batchPhoto: (batchId: string, sha256: string, format: StoredPhotoFormat) =>
    `${keyFolders.photoSet(batchId)}/${sha256}.${extensions[format]}`,
  /** The fence keeps a worker that has lost its lease from overwriting the file of its successor. */
  preview: (generationId: string, fence: number, index: number, format: StoredPreviewFormat) =>
    `${keyFolders.generation(generationId)}/${keyPrefixes.preview}${fence}-${index}.${extensions[format]}`,
  image: (generationId: string, fence: number) =>
    `${keyFolders.generation(generationId)}/${keyPrefixes.image}${fence}.png`,
  /** A generation's own copy of the image that it changes, and the mask of the change. */
  changed: (generationId: string) => `${keyFolders.generation(generationId)}/changed.png`,
  mask: (generationId: string) => `${keyFolders.generation(generationId)}/mask.png`,
  edited: (generationId: string, version: number) =>
    `${keyFolders.generation(generationId)}/${keyPrefixes.edited}${version}.png`,
  /** Which releases there are; all assets of one, one after the other; and where each of them is in there. */
  releases: 'releases/list.json',
  releaseAssets: (releaseId: string) => `${keyFolders.release(releaseId)}/assets`,
  releaseParts: (releaseId: string) => `${keyFolders.release(releaseId)}/parts.json`,
  lookPicture: (lookId: string) => `${keyFolders.look(lookId)}/picture.webp`,
  thumbnail: (key: string) => `${key}${thumbnailEnding}`,
  /** Where the product is in a photo, for the product match. */
  cutout: (photoKey: string) => `${photoKey}${cutoutEnding}`,
};

/** @returns what a key has after its last dot */
export const extensionOf = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

/** Media types of stored files, by the extension of their keys. */
const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};

/** @returns the media type of a stored file */
export const mediaTypeOf = (key: string): string =>
  mediaTypes[extensionOf(key)] ?? 'application/octet-stream';
