import type { Fault } from '../fault.ts';
import { connectionFaults } from './connections.ts';
import { processFaults } from './processes.ts';
import { serviceFaults } from './services.ts';

/** Every fault that a campaign draws from. */
export const faults: readonly Fault[] = [...processFaults, ...connectionFaults, ...serviceFaults];
