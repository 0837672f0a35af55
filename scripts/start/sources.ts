/** Watches the sources of a program, for `npm run dev` (docs/decisions/0027-npm-run-dev-restarts-programs.md). */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';

export interface SourceWatcher {
  /** Resolves when sources change after this call, with the path of one of them. */
  nextChange(): Promise<string>;
  close(): void;
}

/** Editors and git change several files, or one in several steps: a change has ended when nothing follows for so long, in ms. */
const quietMs = 150;

/**
 * Watches all files with code in some folders and the folders below them, also those that are replaced or created later.
 * @param folders absolute paths
 */
export function watchSources(folders: readonly string[]): SourceWatcher {
  const watchers = new Map<string, FSWatcher>();
  let change = Promise.withResolvers<string>();
  let quiet: NodeJS.Timeout | undefined;

  /** Watches a folder and those below it, if it is one. @returns whether it is */
  function watchFolder(folder: string): boolean {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      // A folder at a time: Node's recursive watcher loses a file that is replaced (Node 24 on Linux).
      const watcher = watch(folder, (event, name) => onEvent(event, join(folder, name ?? '')));
      watcher.on('error', () => unwatch(folder));
      watchers.set(folder, watcher);
      for (const entry of entries) if (entry.isDirectory()) watchFolder(join(folder, entry.name));
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR' || code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Forgets a folder and those below it, which may have been removed or replaced. */
  function unwatch(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  function onEvent(event: string, path: string): void {
    let isFolder = watchers.has(path);
    if (event === 'rename') {
      unwatch(path);
      isFolder = watchFolder(path) || isFolder;
    }
    if (!isFolder && !isSource(path)) return;
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      change.resolve(relative(rootFolder, path));
      change = Promise.withResolvers();
    }, quietMs);
  }

  for (const folder of folders) watchFolder(folder);
  return {
    nextChange: () => change.promise,
    close() {
      clearTimeout(quiet);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

/** Whether programs import this file. */
function isSource(path: string): boolean {
  return /\.(?:ts|json)$/.test(path) && !/\.test(?:-d)?\.ts$/.test(path);
}
