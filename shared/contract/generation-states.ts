/** States that a seller sees. */
export const visibleStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

/** All states. In `receiving` the request is still under way, and the generation is invisible to its seller. */
export const generationStates = ['receiving', ...visibleStates] as const;
export type GenerationState = (typeof generationStates)[number];

/** The states that a state may change to (docs/generations.md). */
export const transitions: Readonly<Record<GenerationState, readonly GenerationState[]>> = {
  receiving: ['queued'],
  queued: ['running', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

/** The states from which `to` may be reached. */
export function statesBefore(to: GenerationState): GenerationState[] {
  return generationStates.filter((from) => transitions[from].includes(to));
}

export const endedStates: readonly GenerationState[] = generationStates.filter(
  (state) => transitions[state].length === 0,
);

/** Whether a generation in this state can no longer change. */
export function hasEnded(state: GenerationState): boolean {
  return endedStates.includes(state);
}
