/** The key of the ledger entry for a seller's free images: they are granted once. */
export const freeImagesKey = (sellerId: string) => `free:${sellerId}`;
