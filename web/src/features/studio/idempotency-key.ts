/**
 * Decides which Idempotency-Key a submit carries. One intent has one key: as long as the content is the same and no
 * definite answer came, every try carries it, so a double click or a lost reply never makes two images. Changed
 * content, or the same after an answer, is a new intent.
 */
export class IdempotencyKey {
  readonly #createKey: () => string;
  #current: { content: string; key: string } | null = null;

  /** @param createKey makes a key that was never used */
  constructor(createKey: () => string = () => crypto.randomUUID()) {
    this.#createKey = createKey;
  }

  /** The key for this content, which is any text that differs when the request does. */
  keyFor(content: string): string {
    if (this.#current?.content !== content) this.#current = { content, key: this.#createKey() };
    return this.#current.key;
  }

  /** Notes that a definite answer came, accepted or refused. */
  settle(): void {
    this.#current = null;
  }
}
