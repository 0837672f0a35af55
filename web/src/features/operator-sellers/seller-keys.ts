/** Keys of the queries about one seller. */
export const sellerKeys = {
  one: (id: string) => ['operator', 'seller', id] as const,
  stripe: (id: string) => ['operator', 'seller-stripe', id] as const,
  ledger: (id: string) => ['operator', 'seller-ledger', id] as const,
};
