/** A running store. */
export interface Store {
  url: string;
  /** Where it comes from, for the output of the run. */
  source: string;
  close(): Promise<void>;
}
