import { randomId } from '#web/lib/hex.ts';

/**
 * The Idempotency-Key of the current submission. Every attempt to send the same content uses the same key until a
 * definite reply comes, so a double click or a lost reply never creates two generations. Changed content, or the same
 * content after a reply, gets a new key.
 */
export class IdempotencyKey {
  readonly #createKey: () => string;
  #current: { content: string; key: string } | null = null;

  /** @param createKey returns a new unique key */
  constructor(createKey: () => string = randomId) {
    this.#createKey = createKey;
  }

  /** The key for this content. @param content a string that differs if the requests differ */
  for(content: string): string {
    if (this.#current?.content !== content) this.#current = { content, key: this.#createKey() };
    return this.#current.key;
  }

  /** Continues with the key of a form that was sent before a crash and not answered, unless there is a newer one. */
  restore(sent: { content: string; key: string }): void {
    this.#current ??= sent;
  }

  /** Call after a definite reply, success or error: the next submission gets a new key. */
  clear(): void {
    this.#current = null;
  }
}
