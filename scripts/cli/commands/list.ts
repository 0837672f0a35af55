import { readCommandLine } from '#scripts/command-line.ts';
import { answerOf, type Generation } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { describe } from '../progress.ts';

/** The most images that the API lists at once. */
const most = 100;

/** `packshot list`: the newest images. */
export async function list({ words, connect, print }: CommandContext): Promise<number> {
  const { values } = readCommandLine(
    'packshot',
    {
      typed: 'packshot list',
      about: 'Prints the newest images: id, product, and how far they are.',
      options: {
        n: { takes: 'COUNT', most, default: 20, about: 'how many' },
        json: { about: 'prints them as JSON' },
      },
    },
    words,
  );
  const packshot = await connect();
  const { generations } = await answerOf(() =>
    packshot.GET('/api/v1/generations', { params: { query: { limit: values.n } } }),
  );
  if (values.json) print(JSON.stringify({ images: generations }, null, 2));
  else for (const image of generations) print(lineOf(image));
  return exitCodes.done;
}

/** An image in one line. */
export const lineOf = (image: Generation): string =>
  `${image.id}  ${image.productName || image.prompt.slice(0, 40)}: ${describe([image])}`;
