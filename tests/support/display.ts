/** An X server without a screen, for browsers that need one. */
import { startWatchedProgram } from '#local/parent-watchdog.ts';

export interface Display {
  /** The value of DISPLAY for its programs. */
  name: string;
  close(): Promise<void>;
}

/** Starts one with a number that is free. @param path of Xvfb */
export async function startDisplay(path: string): Promise<Display> {
  let number = '';
  const { close } = await startWatchedProgram({
    // It prints its number when it is ready.
    command: [path, '-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    env: {},
    isReady: (line) => {
      number = line;
      return /^\d+$/.test(line);
    },
  });
  return { name: `:${number}`, close };
}
