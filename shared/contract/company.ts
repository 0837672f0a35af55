/** Who runs an installation, as the public pages say it. */
export interface Company {
  name: string;
  /** Postal address. */
  address: string | null;
  /** Register, number and tax ID. */
  registration: string | null;
}
