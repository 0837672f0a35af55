import { createComponentCode } from '#web/lib/component-code.ts';

/** The code of the main area with a generation: a seller who comes for the first time has none. */
export const generationCode = createComponentCode(
  async () => (await import('./generation-content.tsx')).GenerationContent,
);
