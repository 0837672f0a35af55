/** A seller's window: requests to one of the servers, a socket, and what it shows. It recovers as the web app does. */
import { io, type Socket } from 'socket.io-client';
import {
  type ErrorReply,
  type GenerationList,
  generationViewSchema,
  type Me,
  paths,
  type ServerEvents,
} from '#contract';
import { FoldedView } from './folded-view.ts';

/** A reply, whatever its status. */
export interface Reply<Body> {
  status: number;
  /** The code of an error reply. */
  code: string | undefined;
  body: Body;
}

export interface ClientOptions {
  /** Addresses of the servers; it changes to the next one when one does not answer. */
  urls: readonly string[];
  token: string;
  /** Whether it fetches when it connects again, and polls what has not ended. */
  resyncs: boolean;
}

/** The web app polls every 4 s, and reconnects after 0.5 to 5 s. */
const [pollMs, reconnectMs] = [400, 150];
/** A request that is not answered by then has failed. The faults of a run are shorter. */
const answerMs = 5_000;

export class SellerClient {
  readonly view = new FoldedView();
  /** How often its socket was lost, or could not connect. */
  disconnects = 0;
  readonly #options: ClientOptions;
  #server = 0;
  #socket: Socket<ServerEvents> | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  readonly #poll: NodeJS.Timeout;
  #polling = false;
  #closed = false;

  constructor(options: ClientOptions, firstServer: number) {
    this.#options = options;
    this.#server = firstServer;
    this.#connect(true);
    this.#poll = setInterval(() => void this.#pollPending(), pollMs);
  }

  get isConnected(): boolean {
    return this.#socket?.connected ?? false;
  }

  /** Sends a request. @throws when no server answered in time; the next request goes to the other server */
  async request<Body>(path: string, init: RequestInit = {}): Promise<Reply<Body>> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.#options.token}`);
    try {
      const response = await fetch(this.#url + path, {
        ...init,
        headers,
        signal: AbortSignal.timeout(answerMs),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      const body = (isJson ? JSON.parse(text) : text) as Body;
      const code = response.ok ? undefined : (body as ErrorReply).error?.code;
      return { status: response.status, code, body };
    } catch (error) {
      this.#changeServer();
      throw error;
    }
  }

  /** Sends a JSON body, or none. @throws like {@link request} */
  send<Body>(method: string, path: string, body?: unknown): Promise<Reply<Body>> {
    if (body === undefined) return this.request(path, { method });
    return this.request(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** The seller comes back to the window: the web app fetches the list and the account. @throws when one fails */
  async shownAgain(): Promise<void> {
    if (this.#options.resyncs) await this.#fetchAll();
  }

  async #fetchAll(): Promise<void> {
    await Promise.all([this.#fetchList(), this.#fetchAccount()]);
  }

  async #fetchAccount(): Promise<void> {
    const { status, body } = await this.request<Me>(paths.me);
    if (status !== 200) throw new Error(`${paths.me} answered ${status}`);
    this.view.receiveSubscription(body.subscription);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    clearTimeout(this.#reconnect);
    this.#socket?.removeAllListeners();
    this.#socket?.disconnect();
  }

  get #url(): string {
    return this.#options.urls[this.#server % this.#options.urls.length]!;
  }

  #changeServer(): void {
    this.#server += 1;
  }

  async #fetchList(): Promise<void> {
    this.view.beginListFetch();
    const { status, body } = await this.request<GenerationList>(`${paths.generations}?limit=100`);
    if (status !== 200) throw new Error(`${paths.generations} answered ${status}`);
    this.view.receiveList(body.generations);
  }

  #connect(isFirst = false): void {
    const socket: Socket<ServerEvents> = io(this.#url, {
      path: paths.socket,
      auth: { token: this.#options.token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      timeout: answerMs,
    });
    this.#socket = socket;
    socket.on('generation', (payload) => {
      const view = generationViewSchema.safeParse(payload);
      if (view.success) this.view.receive(view.data);
      // From a server of another version: the web app fetches then.
      else this.#fetchAll().catch(() => {});
    });
    socket.on('generationRemoved', (removed) => this.view.remove(removed));
    socket.on('subscription', (view) => this.view.receiveSubscription(view));
    socket.on('connect', () => {
      // What fails is fetched again: by the poll, or when the window is shown again.
      if (isFirst || this.#options.resyncs) this.#fetchAll().catch(() => {});
    });
    const again = () => {
      if (this.#closed) return;
      socket.removeAllListeners();
      socket.disconnect();
      this.disconnects += 1;
      this.#changeServer();
      this.#reconnect = setTimeout(() => this.#connect(), reconnectMs);
    };
    socket.once('disconnect', again);
    socket.once('connect_error', again);
  }

  async #pollPending(): Promise<void> {
    if (!this.#options.resyncs || this.#polling || !this.view.hasPending) return;
    this.#polling = true;
    try {
      await this.#fetchList();
      if (!this.view.hasPending) await this.#fetchAccount();
    } catch {
      // Tried again at the next tick.
    } finally {
      this.#polling = false;
    }
  }
}
