import type { GenerationView } from '#contract';

/** The query of the dashboard that shows a new generation, or its set if it is one of several. */
export function shownQuery({ id, set }: Pick<GenerationView, 'id' | 'set'>): Record<string, string> {
  return set.size > 1 ? { set: set.id } : { generation: id };
}
