import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The storage of `npm start` where `STORAGE_URL` is not set: a folder in its data folder. */
export const startStorageUrl = (dataFolder: string) => pathToFileURL(join(dataFolder, 'images')).href;
