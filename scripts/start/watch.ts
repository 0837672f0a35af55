/** A program that is started again when its sources change. */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { type RunningProcess, StackError } from './process.ts';

/** Editors write a file in several steps, and a checkout changes many: one restart for all, after this many ms. */
const settleMs = 150;

/**
 * Starts a program, and again after each change in its folders. A program that breaks later is not the end: the next
 * change starts it again.
 * @param folders of the checkout, watched with what is in them
 * @throws StackError when the first start fails
 */
export async function startFollowing(
  name: string,
  folders: readonly string[],
  start: () => Promise<RunningProcess>,
  say: (line: string) => void,
): Promise<RunningProcess> {
  let current: RunningProcess | undefined = await start();
  const { url } = current;
  let changes = 0;
  let restarting = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const report = (error: unknown) => {
    // Its last words have been shown as they came.
    say(error instanceof StackError ? error.message : String(error));
    say(`${name} starts again at the next change`);
  };
  const follow = (running: RunningProcess) => {
    running.ended.then((error) => {
      if (current !== running) return;
      current = undefined;
      report(error);
    });
  };
  const restart = async (file: string, change: number) => {
    if (stopped || change !== changes) return;
    say(`${file} changed: ${name} restarts`);
    const before = current;
    current = undefined;
    await before?.stop();
    if (stopped) return;
    try {
      current = await start();
      follow(current);
      say(`${name} is ready`);
    } catch (error) {
      report(error);
    }
  };
  follow(current);
  const watchers = folders.map((folder) =>
    watch(join(rootFolder, folder), { recursive: true }, (_event, file) => {
      if (file === null || !/\.(ts|json)$/.test(file) || /\.test\.ts$/.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        changes += 1;
        const change = changes;
        restarting = restarting.then(() => restart(join(folder, file), change));
      }, settleMs);
    }),
  );

  return {
    name,
    get pid() {
      return current?.pid ?? 0;
    },
    url,
    pageUrl: undefined,
    ended: new Promise(() => {}),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      await restarting;
      const last = current;
      current = undefined;
      await last?.stop();
    },
  };
}
