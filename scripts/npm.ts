/** What npm passes to its scripts in the environment. */
import { readEnvironment } from '#shared/platform/environment.ts';

/** Whether npm started this process as one of package.json's scripts. */
function startedByNpm(): boolean {
  return readEnvironment().npm_lifecycle_event !== undefined;
}

/** The folder in which the user typed the command: npm runs scripts in the checkout and passes that folder in INIT_CWD. */
export function invocationFolder(): string {
  return (startedByNpm() && readEnvironment().INIT_CWD) || process.cwd();
}
