/** A client of Packshot's API: signs in, submits photos, follows generations, downloads their images. */
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { io } from 'socket.io-client';
import {
  type ErrorReply,
  type GenerationList,
  type GenerationSet,
  type GenerationView,
  hasEnded,
  type Me,
  paths,
  type ServerEvents,
  type SessionReply,
  type SignIn,
} from '#contract';

/** What a client needs of a session. */
export type Session = Pick<SessionReply, 'token'>;

/** What an image is asked for with. */
export interface Submission {
  /** Paths of files. */
  photos: readonly string[];
  scene: string;
  productName: string;
}

/** The API of one server for a signed-in seller. */
export interface Client {
  me(): Promise<Me>;
  /** The newest generations. */
  generations(): Promise<GenerationList>;
  /** Asks for an image. */
  submit(submission: Submission): Promise<GenerationView>;
  /**
   * Follows a generation until it has ended.
   * @param show called with each newer view, the last one included
   * @returns the last view
   */
  follow(first: GenerationView, show: (view: GenerationView) => void): Promise<GenerationView>;
  /** Cancels a generation. @throws Error after its first preview: stopping it would then use an image. */
  cancel(id: string): Promise<void>;
  /** Bytes at a path of the server. */
  download(path: string): Promise<Buffer>;
}

/** Polling interval in ms, in case an event is lost. */
const pollIntervalMs = 2_000;

/**
 * Signs in.
 * @param url address of the server
 * @throws Error for an error reply or no reply; its message is for the developer
 */
export async function signIn(url: string, credentials: SignIn): Promise<Session> {
  const { token } = await send<SessionReply>(url, paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return { token };
}

/**
 * Creates a client for a session.
 * @param url address of the server that created the session
 */
export function createClient(url: string, session: Session): Client {
  const authorization = `Bearer ${session.token}`;
  const request = <Body>(path: string, init: RequestInit = {}) =>
    send<Body>(url, path, { ...init, headers: { ...init.headers, authorization } });

  const download = async (path: string) => {
    const reply = await fetch(`${url}${path}`, { headers: { authorization } });
    if (!reply.ok) {
      throw new Error(`the image could not be fetched: ${reply.status}`);
    }
    return Buffer.from(await reply.arrayBuffer());
  };

  return {
    me: () => request<Me>(paths.me),
    generations: () => request<GenerationList>(paths.generations),
    async submit({ photos, scene, productName }) {
      const form = new FormData();
      form.set('prompt', scene);
      form.set('productName', productName);
      // A blob that is backed by a file is read while it is sent, not held in memory.
      for (const photo of photos) form.append('images', await openAsBlob(photo), basename(photo));
      const { generations } = await request<GenerationSet>(paths.generations, {
        method: 'POST',
        headers: { 'idempotency-key': randomUUID() },
        body: form,
      });
      return generations[0]!;
    },
    follow(first, show) {
      return new Promise((resolve, reject) => {
        let newest = first;
        const socket = io(url, { path: paths.socket, auth: { token: session.token } });
        const finish = () => {
          clearInterval(polling);
          socket.disconnect();
        };
        const update = (view: GenerationView) => {
          if (view.id !== first.id || view.revision < newest.revision) return;
          newest = view;
          show(view);
          if (!hasEnded(view.state)) return;
          finish();
          resolve(view);
        };
        const poll = () =>
          request<GenerationView>(paths.generation(first.id)).then(update, (error: Error) => {
            // No reply: the server may be restarting. An error reply is final.
            if (error.cause !== undefined) return;
            finish();
            reject(error);
          });
        const polling = setInterval(poll, pollIntervalMs);
        socket.on('generation' satisfies keyof ServerEvents, update);
        socket.on('connect', poll);
        update(first);
      });
    },
    async cancel(id) {
      await request(paths.cancelGeneration(id), { method: 'POST' });
    },
    download,
  };
}

async function send<Body>(url: string, path: string, init: RequestInit): Promise<Body> {
  let reply: Response;
  try {
    reply = await fetch(`${url}${path}`, init);
  } catch (cause) {
    throw new Error(`no answer from ${url}: is Packshot running there?`, { cause });
  }
  const text = await reply.text();
  const body = parse(text) as Body | ErrorReply | undefined;
  if (reply.ok && body !== undefined) return body as Body;
  const problem = (body as ErrorReply | undefined)?.error;
  if (problem !== undefined) throw new Error(`${problem.message} (${problem.code})`);
  throw new Error(`${url} answered ${reply.status} and does not look like Packshot`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
