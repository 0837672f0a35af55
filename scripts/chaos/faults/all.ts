import type { Fault } from '../fault.ts';

/** Every fault that a campaign draws from. */
export const faults: readonly Fault[] = [];
