/** Something of the product that keeps a fault from doing harm, and that a campaign can run without. */
import type { Replacement } from './replace-source.ts';

export interface Guard {
  /** In kebab-case, as `--without` takes it. */
  name: string;
  /** What it keeps from happening. */
  what: string;
  /** What removes it from the servers and workers; empty if only the sellers' clients have it. */
  replacements: readonly Replacement[];
  /** Settings that remove it. */
  settings?: Readonly<Record<string, string>>;
  /** The guard is the clients' own resync: they do not poll, and do not fetch when they connect again. */
  isResync?: boolean;
}
