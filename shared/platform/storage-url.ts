import { fileURLToPath } from 'node:url';

/** A folder that every server and worker can access. */
interface FolderLocation {
  kind: 'file';
  folder: string;
}

/** Where photos and images are stored: what `STORAGE_URL` names. */
export type StorageLocation = FolderLocation;

/** A storage URL is not valid. The message is for the operator, and repeats nothing of the URL that may be secret. */
export class StorageUrlError extends Error {
  override name = 'StorageUrlError';
}

/**
 * Parses a storage URL: `file:/folder`.
 * @throws StorageUrlError that says which part is wrong
 */
export function parseStorageUrl(text: string): StorageLocation {
  if (text.startsWith('file:')) return { kind: 'file', folder: folderOf(text) };
  throw new StorageUrlError('must begin with file:');
}

function folderOf(text: string): string {
  // `file:images` and `file:./images` would be read as folders of the root.
  if (!/^file:\//.test(text))
    throw new StorageUrlError('must name an absolute folder, as in file:/var/packshot');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.host !== '') throw new StorageUrlError('must name no host: file:/folder or file:///folder');
  if (url.search || url.hash)
    throw new StorageUrlError('has a ? or #: in a name of a folder they are %3F and %23');
  if (url.pathname === '/') throw new StorageUrlError('must name a folder');
  try {
    return fileURLToPath(url);
  } catch {
    throw new StorageUrlError('has a wrong % in the name of the folder');
  }
}
