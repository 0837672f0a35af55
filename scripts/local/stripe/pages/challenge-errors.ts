/** Why 3-D Secure questions ended with a no, for the page that the person is led back to. */

/** How many are kept: the page comes right after the question. */
const kept = 200;

/** The address names the question and never the text, so that nobody can make the page say something. */
export class ChallengeErrors {
  readonly #texts = new Map<string, string>();

  keep(challengeId: string, text: string): void {
    this.#texts.set(challengeId, text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= kept) break;
      this.#texts.delete(oldest);
    }
  }

  /** @returns undefined when the address names no question, or one that is not remembered */
  textOf(challengeId: string | undefined): string | undefined {
    return this.#texts.get(challengeId ?? '');
  }
}
