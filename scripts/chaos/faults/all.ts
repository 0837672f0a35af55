import type { Fault } from '../fault.ts';
import { basicFaults } from './basic.ts';

/** Every fault that a campaign draws from. */
export const faults: readonly Fault[] = [...basicFaults];
