/** The default scenes of the samples. */
import { withTemplate } from '#contract';

/** The product's four templates, each with a typical description, and four free descriptions. */
export const sampleScenes: readonly string[] = [
  withTemplate(
    'Product on Wooden Table',
    'a walnut table by a window, soft morning light, a calm warm room behind',
  ),
  withTemplate('Minimalist White Background', 'pure white, soft even light and a gentle shadow'),
  withTemplate(
    'Outdoor Natural Lighting',
    'on a stone ledge in a garden, dappled sunlight, green leaves behind',
  ),
  withTemplate('Studio Photography Setup', 'a grey seamless backdrop with a large softbox from the left'),
  'on a beach at sunset',
  'on white marble in a bright kitchen',
  'on pink paper, hard shadow',
  'flat lay on linen, top view',
];
