import { setTimeout as wait } from 'node:timers/promises';
import { hasEnded } from '#contract/generation-states.ts';
import { readCommandLine } from '#scripts/command-line.ts';
import { answerOf } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { pollMs } from '../images.ts';
import { lineOf } from './list.ts';

/** `packshot watch`: a line for each change of an image, wherever it was asked for, until Ctrl-C. */
export async function watch({ words, connect, print, signal }: CommandContext): Promise<number> {
  const { values } = readCommandLine(
    'packshot',
    {
      typed: 'packshot watch',
      about: 'Prints a line each time an image changes, until Ctrl-C.',
      options: { json: { about: 'prints each change as a line of JSON' } },
    },
    words,
  );
  const packshot = await connect();
  const seen = new Map<string, string>();
  for (let isFirst = true; ; isFirst = false) {
    const { generations } = await answerOf(
      () => packshot.GET('/api/v1/generations', { params: { query: { limit: 100 } }, signal }),
      signal,
    );
    for (const image of generations.toReversed()) {
      const line = lineOf(image);
      const isNew = seen.get(image.id) !== line;
      seen.set(image.id, line);
      // What had ended before is no change.
      if (isNew && !(isFirst && hasEnded(image.state))) print(values.json ? JSON.stringify(image) : line);
    }
    await wait(pollMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return exitCodes.done;
  }
}
