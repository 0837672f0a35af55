/**
 * `npm run storage:copy -- FROM TO`: copies all photos and images from one storage to another, such as from a folder to a
 * bucket. FROM and TO are as in STORAGE_URL. Ends with 1 unless everything is in TO.
 */
import { readCommandLine } from '#scripts/command-line.ts';
import { openMarkedStorage } from '#scripts/start/command-storage.ts';
import { StorageUrlError } from '#shared/platform/storage-url.ts';
import { StorageError } from '#shared/storage/storage-error.ts';
import { CopyRefused, copyStorage, megabytes } from './copy.ts';

/** How many of the keys that only TO has are shown. */
const extraShown = 10;

const say = (line: string) => console.log(`storage:copy: ${line}`);

const { words } = readCommandLine('storage:copy', {
  about:
    'Copies all photos and images from one storage to another, each as in STORAGE_URL, and compares them.',
  words: 'FROM TO',
});
const [from, to] = words as [string, string];

try {
  const report = await copyStorage(
    await openMarkedStorage('FROM', from),
    await openMarkedStorage('TO', to),
    say,
  );
  for (const problem of report.problems) say(problem);
  for (const key of report.extra.slice(0, extraShown)) say(`${key}: only TO has it`);
  if (report.extra.length > extraShown) say(`only TO has ${report.extra.length - extraShown} more files`);
  const { copied, same, bytes, problems } = report;
  say(
    `${copied} files copied, ${same} were there, ${megabytes(bytes)} verified, ${problems.length} problems`,
  );
  say(
    problems.length === 0
      ? 'TO is complete. Set STORAGE_URL for all servers and workers, and start them'
      : 'TO is not complete. Run it again: what was copied is kept',
  );
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof CopyRefused || error instanceof StorageUrlError || error instanceof StorageError))
    throw error;
  console.error(`storage:copy: ${error.message}`);
  process.exitCode = 1;
}
