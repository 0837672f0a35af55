import type { Fault } from '../fault.ts';
import { connectionFaults } from './connections.ts';
import { processFaults } from './processes.ts';
import { serviceFaults } from './services.ts';
import { storageFaults } from './storage.ts';

/** Every fault; a campaign draws from those that its stack can have. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...connectionFaults,
  ...serviceFaults,
  ...storageFaults,
];
