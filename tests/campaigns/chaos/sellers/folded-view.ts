/** What a window of the web app knows, from replies and events, by the rules of its cache (web/src/lib/live/). */
import { type GenerationView, hasEnded, type RemovedGeneration, type SubscriptionView } from '#contract';

export class FoldedView {
  readonly #generations = new Map<string, GenerationView>();
  readonly #removed = new Map<string, number>();
  /** Since the last fetch of the list began. */
  readonly #arrived = new Set<string>();
  #subscription: SubscriptionView | undefined;

  get generations(): ReadonlyMap<string, GenerationView> {
    return this.#generations;
  }

  get subscription(): SubscriptionView | undefined {
    return this.#subscription;
  }

  get hasPending(): boolean {
    return [...this.#generations.values()].some(({ state }) => !hasEnded(state));
  }

  /** A view from a reply or an event: an older one never replaces a newer one. */
  receive(view: GenerationView): void {
    const removal = this.#removed.get(view.id);
    if (removal !== undefined && view.revision <= removal) return;
    this.#removed.delete(view.id);
    this.#arrived.add(view.id);
    const known = this.#generations.get(view.id);
    if (!known || known.revision <= view.revision) this.#generations.set(view.id, view);
  }

  remove({ id, revision }: RemovedGeneration): void {
    const known = this.#generations.get(id);
    if (known && known.revision > revision) return;
    this.#removed.set(id, revision);
    this.#generations.delete(id);
  }

  receiveSubscription(view: SubscriptionView): void {
    if (!this.#subscription || this.#subscription.revision <= view.revision) this.#subscription = view;
  }

  beginListFetch(): void {
    this.#arrived.clear();
  }

  /** The reply to a fetch of the whole list: what is missing in it, and did not arrive meanwhile, was deleted. */
  receiveList(views: readonly GenerationView[]): void {
    const listed = new Set(views.map(({ id }) => id));
    const gone = [...this.#generations.keys()].filter((id) => !listed.has(id) && !this.#arrived.has(id));
    for (const id of gone) this.#generations.delete(id);
    for (const view of views) this.receive(view);
  }
}
