/** The ways in which the next mails can be made to go wrong, as `POST /control` takes them. */
import { z } from 'zod';

/** How many mails a behaviour is for; left out, all until the next `POST /control`. */
const count = z.number().int().min(1).max(1_000_000).optional();

export const behaviourSchema = z.discriminatedUnion('behaviour', [
  z.strictObject({ behaviour: z.literal('ok') }),
  /** The recipient is refused for good: 550. */
  z.strictObject({ behaviour: z.literal('refuse'), count }),
  /** The mail is refused for now: 451. */
  z.strictObject({ behaviour: z.literal('busy'), count }),
  /** The mail is taken after this many milliseconds. */
  z.strictObject({ behaviour: z.literal('slow'), ms: z.number().int().min(0).max(3_600_000), count }),
  /** The connection ends without an answer once the whole mail was sent; the mail is not kept. */
  z.strictObject({ behaviour: z.literal('drop'), count }),
]);

export type Behaviour = z.infer<typeof behaviourSchema>;

/** What the next mails meet. */
export class Behaviours {
  #current: Behaviour = { behaviour: 'ok' };
  #left = Number.POSITIVE_INFINITY;

  /** Replaces what was set before. */
  set(behaviour: Behaviour): void {
    this.#current = behaviour;
    const mails = behaviour.behaviour === 'ok' ? undefined : behaviour.count;
    this.#left = mails ?? Number.POSITIVE_INFINITY;
  }

  /** The behaviour for one more mail, which uses up one of the count. */
  next(): Behaviour {
    if (this.#left <= 0) return { behaviour: 'ok' };
    this.#left -= 1;
    return this.#current;
  }
}
