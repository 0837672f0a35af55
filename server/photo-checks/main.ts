/** A process that finds out whether products can be cut out of photos, and ends when its server does. */
import { checkProduct } from '#shared/cutout/check-product.ts';
import { modelOfArguments } from '#shared/cutout/model-arguments.ts';
import { chooseModel, findSaliency, setThreads } from '#shared/cutout/saliency.ts';
import { serveJobs } from '#shared/platform/serve-jobs.ts';
import type { CheckJobs, CheckOutcome } from './jobs.ts';

chooseModel(modelOfArguments(process.argv));
// A seller waits for each answer: 0.17 s for a look of the model instead of 0.31 (docs/decisions/0105-what-cannot-be-cut-is-said.md).
setThreads(2);

serveJobs<CheckJobs>(async (message): Promise<CheckOutcome> => {
  try {
    if (message.name === 'load') {
      // Its first run takes a fifth longer than the next ones.
      await findSaliency({ data: new Uint8Array(3), width: 1, height: 1 });
      return { found: null };
    }
    return { found: await checkProduct(message.given.photo, message.given.questions) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
});
