/** The query cache's keys, for everything that more than one place reads or changes. */
export const queryKeys = {
  me: ['me'],
  generationList: ['generations'],
  /** Prefix of every key that `generation` gives. */
  singleGenerations: ['generation'],
  generation: (id: string) => ['generation', id] as const,
  creditEntries: ['credit-entries'],
  sessions: ['sessions'],
  activity: ['activity'],
} as const;
