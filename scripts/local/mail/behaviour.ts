/** Failures that can be simulated for the next mails with `POST /control`. */
import { z } from 'zod';

/** To how many mails a behaviour applies; by default to all until the next `POST /control`. */
const count = z.number().int().min(1).max(1_000_000).optional();

export const behaviourSchema = z.discriminatedUnion('behaviour', [
  z.strictObject({ behaviour: z.literal('ok') }),
  /** Rejects the recipient: 550, or `code` and `message`. With `to` only that one; mails to others are accepted. */
  z.strictObject({
    behaviour: z.literal('refuse'),
    count,
    to: z.string().optional(),
    code: z.number().int().min(400).max(599).optional(),
    message: z.string().max(500).optional(),
  }),
  /** Rejects the mail temporarily: 451. */
  z.strictObject({ behaviour: z.literal('busy'), count }),
  /** Accepts the mail after this many milliseconds. */
  z.strictObject({ behaviour: z.literal('slow'), ms: z.number().int().min(0).max(3_600_000), count }),
  /** Accepts the mail when the next behaviour is set. */
  z.strictObject({ behaviour: z.literal('hold'), count }),
  /** Closes the connection without a reply after the whole mail was sent; the mail is not stored. */
  z.strictObject({ behaviour: z.literal('drop'), count }),
]);

export type Behaviour = z.infer<typeof behaviourSchema>;

/** The behaviour for one mail, and what resolves when another one is set. */
export type MailBehaviour = Behaviour & { replaced: Promise<void> };

/** The behaviour that applies to the next mails. */
export class Behaviours {
  #current: Behaviour = { behaviour: 'ok' };
  #left = Number.POSITIVE_INFINITY;
  #replaced = Promise.withResolvers<void>();

  /** Replaces the current behaviour. */
  set(behaviour: Behaviour): void {
    this.#replaced.resolve();
    this.#replaced = Promise.withResolvers();
    this.#current = behaviour;
    const mails = behaviour.behaviour === 'ok' ? undefined : behaviour.count;
    this.#left = mails ?? Number.POSITIVE_INFINITY;
  }

  /** The behaviour for one more mail; decrements the count. */
  next(): MailBehaviour {
    const replaced = this.#replaced.promise;
    if (this.#left <= 0) return { behaviour: 'ok', replaced };
    this.#left -= 1;
    return { ...this.#current, replaced };
  }
}
