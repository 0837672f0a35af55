/** The first images of a new demo seller, so that the studio has something to show. */
import { join } from 'node:path';
import { type SignIn, sampleScene } from '#contract';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { createClient, type Submission, signIn } from './seller-client.ts';

const products = join(rootFolder, 'scripts', 'local', 'photos');

/** In the order of submission; the studio shows the last one first. */
const submissions: readonly Submission[] = [
  {
    photos: [join(products, 'pump-bottle-1.jpg')],
    productName: 'Pump bottle',
    scene: sampleScene('white-background'),
  },
  {
    photos: [join(products, 'tea-tin-1.jpg')],
    productName: 'Tea tin',
    scene: sampleScene('outdoor'),
  },
  {
    photos: [join(products, 'vase-1.jpg')],
    productName: 'Vase',
    scene: sampleScene('wooden-table'),
  },
];

/**
 * Submits the first images over the API, as the seller would, so that balance and ledger count them. A seller who has
 * generations gets none. Submits one at a time, so that the seller's own first image does not wait long.
 * @param url address of the API server
 * @param signal stops it; the current image is cancelled, and not counted unless its first preview has been shown
 * @returns a line for the developer, also about a failure; undefined if there is nothing to report
 */
export async function makeFirstImages(
  url: string,
  { email, password }: SignIn,
  signal: AbortSignal,
): Promise<string | undefined> {
  let made = 0;
  let problem: string | undefined;
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    const client = createClient(url, await signIn(url, { email, password }));
    if ((await client.generations()).generations.length > 0) return undefined;
    for (const submission of submissions) {
      if (signal.aborted) return undefined;
      const first = await client.submit(submission);
      const last = signal.aborted ? undefined : await Promise.race([client.follow(first, () => {}), aborted]);
      if (last === undefined) {
        await client.cancel(first.id);
        return undefined;
      }
      if (last.image === null) problem ??= last.failure?.message ?? last.state;
      else made += 1;
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    problem = (error as Error).message;
  }
  return problem === undefined
    ? `created ${made} images for the demo seller to start with; they count towards its plan`
    : `could not create all images for the demo seller to start with (${made} of ${submissions.length}): ${problem}`;
}
