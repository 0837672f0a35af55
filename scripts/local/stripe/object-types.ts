/** How stored objects follow from the SDK's types. */
import type Stripe from 'stripe';

/** `T` with the fields that are always filled, some of them typed more narrowly. */
export type With<T extends { id: string; object: string; created?: number }, Fields> = Partial<
  Omit<T, keyof Fields>
> &
  Pick<T, 'id' | 'object'> & { created: number } & Fields;

/** A list within an object. */
export type List<Item> = Omit<Stripe.ApiList<Item>, 'lastResponse'>;
