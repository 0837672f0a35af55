/** Keys of the queries that more than one module reads or changes. */
export const queryKeys = {
  me: ['me'],
  generationList: ['generations'],
  /** Prefix of every `generation` key. */
  singleGenerations: ['generation'],
  generation: (id: string) => ['generation', id] as const,
  creditEntries: ['credit-entries'],
  sessions: ['sessions'],
  activity: ['activity'],
} as const;
