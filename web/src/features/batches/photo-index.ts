import { limits, photoTypes } from '#contract';

/** The file of a photo. */
export interface PhotoFile {
  /** Its path in the dropped folder, its name, or the address that it was fetched from. */
  path: string;
  file: File;
}

/** A photo that the seller has dropped, or a table has named by its address. */
export interface DroppedPhoto extends PhotoFile {
  /** Shows it in this window; to be revoked when it is removed. */
  url: string;
}

/** Whether the name of a photo in a table is its address. */
export const isAddress = (name: string) => /^https?:\/\//i.test(name);

const extensions: readonly string[] = Object.values(photoTypes).flat();

/** Whether a file is a photo by its name; the server decides by its content. */
export function isPhotoName(name: string): boolean {
  const last = baseName(name);
  return !last.startsWith('.') && extensions.some((extension) => last.toLowerCase().endsWith(extension));
}

/** The name of a file without its folders. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/**
 * A name as photos are compared by: macOS writes a narrow space before AM and PM and takes letters with marks apart, and
 * tables made on Windows have its paths.
 */
const comparable = (path: string) =>
  path
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u00a0\u202f\u2009]/g, ' ')
    .replace(/^([a-z]:)?[\\/]+/, '')
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '');
const withoutExtension = (path: string) => path.replace(/\.[^./]+$/, '');

/** Finds dropped photos by the names in a table. */
export interface PhotoIndex {
  /** The photo with a name; `several` if more than one could be meant, null if there is none. */
  find(name: string): DroppedPhoto | 'several' | null;
  /** The photos with these names, without the names that mean none or several. */
  photosOf(names: readonly string[]): DroppedPhoto[];
}

/**
 * Finds photos by name: upper and lower case are the same, and folder and extension may be left out where only one photo
 * can be meant. An address means only the photo that was fetched from it: shops call the pictures of many products `main.jpg`.
 */
export function createPhotoIndex(photos: readonly DroppedPhoto[]): PhotoIndex {
  const byName = new Map<string, Set<DroppedPhoto>>();
  for (const photo of photos.filter(({ path }) => !isAddress(path))) {
    const parts = comparable(photo.path).split('/');
    for (let from = 0; from < parts.length; from += 1) {
      const path = parts.slice(from).join('/');
      for (const name of [path, withoutExtension(path)]) {
        byName.set(name, (byName.get(name) ?? new Set()).add(photo));
      }
    }
  }
  const byAddress = new Map(photos.map((photo) => [photo.path, photo]));
  const find: PhotoIndex['find'] = (name) => {
    if (isAddress(name)) return byAddress.get(name) ?? null;
    const wanted = comparable(name);
    const found = [...(findAll(byName, wanted) ?? [])];
    if (found.length <= 1) return found[0] ?? null;
    // Exactly this path is meant, even if it is also the end of another one.
    const exact = found.filter(({ path }) => comparable(path) === wanted);
    return exact.length === 1 ? exact[0]! : 'several';
  };
  return {
    find,
    photosOf: (names) =>
      names.map(find).filter((found): found is DroppedPhoto => found !== null && found !== 'several'),
  };
}

/**
 * The photos with a name, else with the same name and another ending, as after a conversion (`.jpeg`, `.jfif`, `.heic`), else
 * with the end of the path: a table may have been made with other folders above.
 */
function findAll(
  byName: ReadonlyMap<string, ReadonlySet<DroppedPhoto>>,
  wanted: string,
): ReadonlySet<DroppedPhoto> | undefined {
  const stem = isPhotoName(wanted) ? withoutExtension(wanted) : wanted;
  const exact = byName.get(wanted) ?? byName.get(stem);
  const slash = wanted.indexOf('/');
  return exact ?? (slash < 0 ? undefined : findAll(byName, wanted.slice(slash + 1)));
}

/** A JPEG may have a video behind its picture, which does not count: its content tells. */
const fileBytesMost = (name: string) =>
  photoTypes['image/jpeg']!.some((ending) => name.toLowerCase().endsWith(ending))
    ? limits.photoFileBytes
    : limits.photoBytes;

/** Why a photo cannot be used, for a sentence that begins with its name; null if nothing speaks against it. */
export function photoFileFault({ file }: DroppedPhoto): string | null {
  if (file.size === 0) return 'is empty';
  if (file.size > fileBytesMost(file.name)) return `is larger than ${limits.photoBytes / 1024 / 1024} MB`;
  return null;
}
