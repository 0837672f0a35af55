/** Packshot's API as a program uses it: signs in, sends photos, follows a generation, fetches its image. */
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { io } from 'socket.io-client';
import {
  type ErrorReply,
  type GenerationList,
  type GenerationView,
  hasEnded,
  type Me,
  paths,
  type ServerEvents,
  type SessionReply,
  type SignIn,
} from '#contract';

/** A refusal of the API, or no answer: a sentence for the person who typed the command. */
export class DemoError extends Error {
  override name = 'DemoError';
  /** The answer's HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, details: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.status = details.status;
  }
}

/** What a program needs of a session to use it again. */
export type Session = Pick<SessionReply, 'token' | 'expiresAt'>;

export interface Submission {
  photos: readonly string[];
  scene: string;
  productName: string;
}

/** A signed-in seller at one server. */
export interface Client {
  me(): Promise<Me>;
  /** The newest generations. */
  generations(): Promise<GenerationList>;
  /** Uploads the photos (file paths) and the scene. */
  submit(submission: Submission): Promise<GenerationView>;
  /**
   * Follows a generation until it has ended.
   * @param show called with each newer view, the last one included
   * @returns the last view
   */
  follow(first: GenerationView, show: (view: GenerationView) => void): Promise<GenerationView>;
  /** Cancels a generation. @throws DemoError once its first preview is there: stopping it would use the image. */
  cancel(id: string): Promise<void>;
  /** Bytes at a path of the server. */
  download(path: string): Promise<Buffer>;
}

/** Asked again this often while nothing is heard, in ms: a lost event costs seconds, never the result. */
const askAgainMs = 2_000;

/**
 * Signs in.
 * @param url address of the server
 * @throws DemoError when it does not answer or refuses
 */
export async function signIn(url: string, credentials: SignIn): Promise<Session> {
  const { token, expiresAt } = await ask<SessionReply>(url, paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return { token, expiresAt };
}

/**
 * A seller's API with a session that was made by signing in.
 * @param url address of the server that made the session
 */
export function createClient(url: string, session: Session): Client {
  const authorization = `Bearer ${session.token}`;
  const request = <Body>(path: string, init: RequestInit = {}) =>
    ask<Body>(url, path, { ...init, headers: { ...init.headers, authorization } });

  return {
    me: () => request<Me>(paths.me),
    generations: () => request<GenerationList>(paths.generations),
    async submit({ photos, scene, productName }) {
      const form = new FormData();
      form.set('prompt', scene);
      form.set('productName', productName);
      // The bytes are read as they are sent, so four large photos cost no memory here.
      for (const photo of photos) form.append('images', await openAsBlob(photo), basename(photo));
      return request<GenerationView>(paths.generations, {
        method: 'POST',
        headers: { 'idempotency-key': randomUUID() },
        body: form,
      });
    },
    follow(first, show) {
      return new Promise((resolve, reject) => {
        let newest = first;
        const socket = io(url, { path: paths.socket, auth: { token: session.token } });
        const finish = () => {
          clearInterval(asking);
          socket.disconnect();
        };
        const hear = (view: GenerationView) => {
          if (view.id !== first.id || view.revision < newest.revision) return;
          newest = view;
          show(view);
          if (!hasEnded(view.state)) return;
          finish();
          resolve(view);
        };
        const askAgain = () =>
          request<GenerationView>(paths.generation(first.id)).then(hear, (error: DemoError) => {
            // A server that restarts is waited for; one that says no is not.
            if (error.cause !== undefined) return;
            finish();
            reject(error);
          });
        const asking = setInterval(askAgain, askAgainMs);
        socket.on('generation' satisfies keyof ServerEvents, hear);
        socket.on('connect', askAgain);
        hear(first);
      });
    },
    async cancel(id) {
      await request(paths.cancelGeneration(id), { method: 'POST' });
    },
    async download(path) {
      const reply = await fetch(`${url}${path}`, { headers: { authorization } });
      if (!reply.ok) {
        throw new DemoError(`the image could not be fetched: ${reply.status}`, { status: reply.status });
      }
      return Buffer.from(await reply.arrayBuffer());
    },
  };
}

async function ask<Body>(url: string, path: string, init: RequestInit): Promise<Body> {
  let reply: Response;
  try {
    reply = await fetch(`${url}${path}`, init);
  } catch (cause) {
    throw new DemoError(`no answer from ${url}: is Packshot running there?`, { cause });
  }
  const text = await reply.text();
  const body = parse(text) as Body | ErrorReply | undefined;
  if (reply.ok && body !== undefined) return body as Body;
  const refusal = (body as ErrorReply | undefined)?.error;
  const { status } = reply;
  if (refusal !== undefined) throw new DemoError(`refused (${refusal.code}): ${refusal.message}`, { status });
  throw new DemoError(`${url} answered ${status} and is no Packshot`, { status });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
