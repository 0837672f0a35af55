/** The process that prepares a stack (preparation.ts). */
import type { JobMessage } from '#shared/platform/job-process.ts';
import { serveJobs } from '#shared/platform/serve-jobs.ts';
import { disableDemoSellers } from './demo-password.ts';
import type { PreparationJobs } from './preparation.ts';
import { prepareStripe } from './prepare-stripe.ts';
import { makeSellers } from './seller.ts';

serveJobs<PreparationJobs>(async (message) => {
  try {
    return { result: await resultOf(message) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
});

function resultOf({ name, given }: JobMessage<PreparationJobs>) {
  switch (name) {
    case 'stripe':
      return prepareStripe(given);
    case 'sellers':
      return makeSellers(given, given.sellers);
    case 'disabledSellers':
      return disableDemoSellers(given.mongodbUrl);
  }
}
