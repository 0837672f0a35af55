/** The photo and prompt that every benchmark submits. */
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';

export const samplePhotoFile = join(rootFolder, 'scripts', 'sample', 'coffee-cup.png');
export const samplePrompt = 'Product on Wooden Table: in the morning';
