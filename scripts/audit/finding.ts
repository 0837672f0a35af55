/** An inconsistency. */
export interface Finding {
  /** Id of the profile or generation, or key of the ledger entry. */
  id: string;
  problem: string;
}
