/** A process that draws the sketches of visitors, and ends when its server does. */
import { modelOfArguments } from '#shared/cutout/model-arguments.ts';
import { chooseModel } from '#shared/cutout/saliency.ts';
import { serveJobs } from '#shared/platform/serve-jobs.ts';
import { drawSketches } from './draw-sketches.ts';
import type { SketchJobs } from './jobs.ts';

chooseModel(modelOfArguments(process.argv));

serveJobs<SketchJobs>(async ({ given }): Promise<SketchJobs['draw']['outcome']> => {
  try {
    return { found: await drawSketches(given.photo) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
});
