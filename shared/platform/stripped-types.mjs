/**
 * Loaded into processes (`node --import`). What Node strips types with takes 15 to 20 MB in each of them, so sources are read as
 * they were stripped before, if they were (scripts/start/strip-types.ts). Node strips the others, such as those that have changed.
 * It is plain JavaScript, which needs no stripping.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

// Described in stripped-types.d.mts.
export const strippedFolder = join(import.meta.dirname, '../../node_modules/.cache/packshot-stripped');

export const strippedFile = (source) => join(strippedFolder, hash('sha256', process.version + source));

registerHooks({
  load(url, context, next) {
    if (context.format !== 'module-typescript') return next(url, context);
    try {
      const source = readFileSync(strippedFile(readFileSync(new URL(url), 'utf8')), 'utf8');
      return { format: 'module', source, shortCircuit: true };
    } catch {
      return next(url, context);
    }
  },
});
