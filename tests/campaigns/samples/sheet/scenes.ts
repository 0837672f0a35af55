/** The default scenes of the samples. */
import { sampleScene, templates } from '#contract';

/** A typical description of each template, and four free descriptions. */
export const sampleScenes: readonly string[] = [
  ...templates.map(({ id }) => sampleScene(id)),
  'on a beach at sunset',
  'on white marble in a bright kitchen',
  'on pink paper, hard shadow',
  'flat lay on linen, top view',
];
