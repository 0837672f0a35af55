/** Remembers why 3-D Secure challenges failed, for the page to which the customer returns. */

/** How many are remembered; the page is requested right after the challenge. */
const maxRemembered = 200;

/**
 * The URL contains the id of the challenge and never the text, so that nobody can make the page show a text of their
 * own.
 */
export class ChallengeErrors {
  readonly #texts = new Map<string, string>();

  keep(challengeId: string, text: string): void {
    this.#texts.set(challengeId, text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= maxRemembered) break;
      this.#texts.delete(oldest);
    }
  }

  /** @returns undefined for an unknown or forgotten challenge */
  textOf(challengeId: string | undefined): string | undefined {
    return this.#texts.get(challengeId ?? '');
  }
}
