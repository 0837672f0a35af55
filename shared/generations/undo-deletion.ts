import { limits } from '#contract';

/** How long the server takes back a deletion, in ms: what the seller is promised, and the time that a request may take. */
export const undoDeletionMs = limits.undoDeletionSeconds * 1_000 + 2_000;
