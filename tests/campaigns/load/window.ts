/** A seller's open window: it fetches once when it opens. After that it knows only what the socket tells it. */
import type { Socket } from 'socket.io-client';
import {
  type GenerationList,
  type GenerationState,
  type GenerationView,
  hasEnded,
  type Me,
  paths,
  type ServerEvents,
} from '#contract';
import { FoldedView } from '#tests/campaigns/chaos/sellers/folded-view.ts';
import { requestList } from '#tests/support/api-client.ts';
import { openSocket } from '#tests/support/connected-seller.ts';

/** Called when a window is first told that a generation has reached a state. */
export type OnState = (view: GenerationView, receivedAt: number) => void;

export class LoadWindow {
  readonly view = new FoldedView();
  /** Those of generations and their states that were told already: events may come twice, and in another order. */
  readonly #told = new Set<`${string} ${GenerationState}`>();
  readonly #socket: Socket<ServerEvents>;
  readonly #ended: (id: string) => void;
  readonly #onState: OnState;
  /** How often the connection was lost. */
  disconnects = 0;

  private constructor(socket: Socket<ServerEvents>, onState: OnState, onEnded: (id: string) => void) {
    this.#socket = socket;
    this.#onState = onState;
    this.#ended = onEnded;
    socket.on('generation', (view) => this.#receive(view));
    socket.on('generationRemoved', (removed) => this.view.remove(removed));
    socket.on('subscription', (view) => this.view.receiveSubscription(view));
    socket.on('disconnect', () => {
      this.disconnects += 1;
    });
  }

  /**
   * Opens a socket and fetches the list and the account, as the web app does.
   * @param onState called with the first event of each state of a generation, and the time in ms since 1970
   * @param onEnded called with the id of a generation that has ended
   * @throws Error when the connection or a request is refused
   */
  static async open(
    url: string,
    token: string,
    onState: OnState,
    onEnded: (id: string) => void,
  ): Promise<LoadWindow> {
    const window = new LoadWindow(await openSocket(url, token), onState, onEnded);
    window.view.beginListFetch();
    const [list, me] = await Promise.all([
      requestList(url, token),
      fetch(url + paths.me, { headers: { authorization: `Bearer ${token}` } }),
    ]);
    if (!list.ok || !me.ok) throw new Error(`the list answered ${list.status}, the account ${me.status}`);
    window.view.receiveList(((await list.json()) as GenerationList).generations);
    window.view.receiveSubscription(((await me.json()) as Me).subscription);
    return window;
  }

  get isConnected(): boolean {
    return this.#socket.connected;
  }

  /** The reply to a submission: what the web app shows before the first event. */
  receiveReply(views: readonly GenerationView[]): void {
    for (const view of views) this.view.receive(view);
  }

  /** It does not fetch what it missed: that would hide a lost event. */
  async shownAgain(): Promise<void> {}

  close(): void {
    this.#socket.removeAllListeners();
    this.#socket.disconnect();
  }

  #receive(view: GenerationView): void {
    const receivedAt = Date.now();
    this.view.receive(view);
    if (this.#told.has(`${view.id} ${view.state}`)) return;
    this.#told.add(`${view.id} ${view.state}`);
    this.#onState(view, receivedAt);
    if (hasEnded(view.state)) this.#ended(view.id);
  }
}
