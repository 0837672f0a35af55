import type { Log } from '#shared/platform/log.ts';

/** Subscribes to the events of a seller. @returns a function that unsubscribes */
type Subscribe = (sellerId: string) => Promise<() => Promise<void>>;

/** Counts the open windows of each seller, to hold one subscription per seller while there is any. */
export interface SellerTopics {
  /** Resolves when the seller's events arrive. Each call that resolves needs one call of `leave`. */
  enter(sellerId: string): Promise<void>;
  leave(sellerId: string): void;
}

export function createSellerTopics(subscribe: Subscribe, log: Log): SellerTopics {
  const open = new Map<string, { windows: number; subscribed: ReturnType<Subscribe> }>();
  return {
    async enter(sellerId) {
      let topic = open.get(sellerId);
      if (!topic) {
        topic = { windows: 0, subscribed: subscribe(sellerId) };
        open.set(sellerId, topic);
      }
      topic.windows += 1;
      try {
        await topic.subscribed;
      } catch (error) {
        open.delete(sellerId);
        throw error;
      }
    },
    leave(sellerId) {
      const topic = open.get(sellerId);
      if (!topic) return;
      topic.windows -= 1;
      if (topic.windows > 0) return;
      open.delete(sellerId);
      topic.subscribed
        .then((unsubscribe) => unsubscribe())
        .catch((error) => log.warn({ err: error }, 'could not unsubscribe from the events of a seller'));
    },
  };
}
