import type { PositionId } from '#contract';

/** What a position is about. Its title is in the contract. */
interface OpenPosition {
  team: string;
  summary: string;
  /** What the person does, and what helps in doing it. */
  tasks: readonly string[];
  helpful: readonly string[];
}

/** Every position is full-time and remote. */
export const openPositions: Readonly<Record<PositionId, OpenPosition>> = {
  'product-engineer': {
    team: 'Engineering',
    summary:
      'You build what sellers use every day: uploading photos, describing a scene, watching the image arrive, paying for a plan.',
    tasks: [
      'Take features from the first sketch to production, in the browser, the API and the worker.',
      'Write code and tests that the next person can read. We work in TypeScript, with React, Fastify, BullMQ and MongoDB.',
      'Make failures boring: no image is lost and none is counted twice, whatever crashes.',
      'Help sellers when they have questions about something you built.',
    ],
    helpful: [
      'You have built and run a web product that people paid for.',
      'You like to test against real services instead of mocks.',
      'You write plainly. Our decisions are made in writing.',
    ],
  },
  'image-quality-engineer': {
    team: 'Engineering',
    summary:
      'You make the product in the image look like the product in the box: its shape, its colours, its label and every word on it.',
    tasks: [
      'Improve the instructions that we give the image model, so that products keep their details.',
      'Improve how photos are checked and prepared before they are used.',
      'Build comparisons that show whether a change made images better, or only different.',
      'Look after our local renderer, which stands in for the image model in development and tests.',
    ],
    helpful: [
      'You have worked with image processing, computer vision or colour management.',
      'You can say why an image looks wrong, and find a way to measure it.',
      'You work in TypeScript, or are ready to.',
    ],
  },
  'product-designer': {
    team: 'Design',
    summary: 'You design the way from a phone photo to an image that a seller is proud to publish.',
    tasks: [
      'Design the studio, the account pages and this site, phones first.',
      'Write the words, too: buttons, errors and emails are part of the design.',
      'Keep everything usable by keyboard and with a screen reader, in light and dark.',
      'Watch sellers use Packshot, and change what confuses them.',
    ],
    helpful: [
      'You can show work that has shipped, and say what you would do differently today.',
      'You are at home in HTML and CSS.',
      'You would rather remove a step than explain it.',
    ],
  },
  'customer-support': {
    team: 'Support',
    summary: 'You answer the people who write to us, and see to it that the next ones need not ask.',
    tasks: [
      'Answer questions about images, plans and bills by email, in plain English.',
      'Be the person that Enterprise customers turn to.',
      'Turn questions that come up again and again into guides and FAQ answers.',
      'Tell the team what goes wrong, with examples.',
    ],
    helpful: [
      'You have helped the customers of an online shop or a web product.',
      'You stay kind and exact when somebody is annoyed.',
      'You speak another language besides English.',
    ],
  },
  'product-photographer': {
    team: 'Content',
    summary:
      'You know how good product photos are made, and can explain it to people who have a phone and a window.',
    tasks: [
      'Write guides and blog posts about photos, scenes and listings.',
      'Design scenes and templates for the studio: surfaces, light, angles.',
      'Review images for what gives them away: shadows, reflections, scale.',
    ],
    helpful: [
      'You have photographed products for shops or catalogues.',
      'You write clearly, and can show us something you wrote.',
      'You are curious about image models, and have a sharp eye for their mistakes.',
    ],
  },
};
