import { join } from 'node:path';

/** Root folder of the checkout. */
export const rootFolder = join(import.meta.dirname, '../..');
