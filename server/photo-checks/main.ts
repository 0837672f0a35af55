/** A process that finds out whether products can be cut out of photos, and ends when its server does. */
import { checkProduct } from '#shared/cutout/check-product.ts';
import { modelOfArguments } from '#shared/cutout/model-arguments.ts';
import { chooseModel, loadSaliency } from '#shared/cutout/saliency.ts';
import { serveJobs } from '#shared/platform/serve-jobs.ts';
import type { CheckJobs, CheckOutcome } from './jobs.ts';

chooseModel(modelOfArguments(process.argv));

serveJobs<CheckJobs>(async (message): Promise<CheckOutcome> => {
  try {
    if (message.name === 'load') {
      await loadSaliency();
      return { found: null };
    }
    return { found: await checkProduct(message.given.photo, message.given.drawsCutout) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
});
