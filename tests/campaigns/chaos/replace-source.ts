/** Replaces texts in the product's source files while a process loads them. The files stay as they are. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuse } from '#scripts/command-line.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

export interface Replacement {
  /** Relative to the checkout. */
  file: string;
  /** Occurs exactly once in the file. */
  text: string;
  by: string;
}

/**
 * Replaces texts in all modules that this process loads from now on; for modules of `node --import`. A process that
 * loads a file without its text ends with a line that says so.
 */
export function replaceSources(replacements: readonly Replacement[]): void {
  const byUrl = Map.groupBy(replacements, ({ file }) => pathToFileURL(join(rootFolder, file)).href);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = byUrl.get(url);
      if (!own || loaded.source == null) return loaded;
      const source =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: replaceIn(source, own) };
    },
  });
}

function replaceIn(source: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((text, replacement) => {
    const parts = text.split(replacement.text);
    if (parts.length !== 2) {
      refuse('chaos', `"${replacement.text}" occurs ${parts.length - 1} times in ${replacement.file}`);
    }
    return parts.join(replacement.by);
  }, source);
}
