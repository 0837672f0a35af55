import type { GivenSettings } from './settings.ts';
import { parseStorageUrl, type StorageLocation, StorageUrlError } from './storage-url.ts';

/**
 * Where photos and images are stored, for programs that need no other setting.
 * @param url of the storage; `STORAGE_URL` by default
 * @param name of the URL in messages
 * @throws StorageUrlError that says what is wrong with the URL or with the credentials of its bucket
 */
export function storageLocationOf(
  {
    STORAGE_URL,
    STORAGE_ACCESS_KEY_ID: accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
  }: GivenSettings,
  url = STORAGE_URL ?? '',
  name = 'STORAGE_URL',
): StorageLocation {
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new StorageUrlError(
      'STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY must both be set, or none of them',
    );
  }
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey };
  try {
    return parseStorageUrl(url, credentials);
  } catch (error) {
    if (!(error instanceof StorageUrlError)) throw error;
    throw new StorageUrlError(`${name}: ${error.message}. See docs/settings.md.`);
  }
}

/** @throws StorageUrlError when browsers could not load images from the storage */
export function checkPresigned(storage: StorageLocation, publicUrl: string | undefined): void {
  if (storage.kind === 'file') {
    throw new StorageUrlError(
      'IMAGE_DELIVERY: presigned needs a bucket: a STORAGE_URL that begins with s3://',
    );
  }
  if (publicUrl?.startsWith('https:') && storage.endpoint?.startsWith('http:')) {
    throw new StorageUrlError('IMAGE_DELIVERY: presigned needs an endpoint with https://, as PUBLIC_URL has');
  }
}
