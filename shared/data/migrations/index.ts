import { baseline } from './0001-baseline.ts';
import { refusals } from './0002-refusals.ts';
import type { Migration } from './migration.ts';

/** All migrations, in the order in which they are executed. */
export const migrations: readonly Migration[] = [baseline, refusals];
