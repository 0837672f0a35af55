/** Sessions that are used again by the next run, since a server takes only a few sign-ins a minute. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SignIn } from '#contract';
import { type Client, createClient, DemoError, type Session, signIn } from './client.ts';

/** Keeps one session for each server and email address. */
export interface SessionStore {
  /** The session kept, unless there is none or it expires too soon for a whole run. */
  read(url: string, email: string): Promise<Session | undefined>;
  /** Keeps a session in place of an earlier one. @throws the file system's error when it cannot be written */
  keep(url: string, email: string, session: Session): Promise<void>;
  remove(url: string, email: string): Promise<void>;
}

/** What a file holds. */
const sessionSchema = z.object({ token: z.string().min(1), expiresAt: z.iso.datetime() });

/** A run may wait this long for its image, in ms; its session must last until the end. */
const longestRunMs = 10 * 60_000;

/**
 * Keeps sessions in files that only their owner can read.
 *
 * `npm run demo` passes a folder in the checkout's `.data`: git ignores it, the other secrets of this machine are
 * there too, and whoever removes `.data` to start afresh removes the sessions with it.
 * @param folder made when the first session is kept
 * @param now the time in ms since 1970
 */
export function createSessionStore(folder: string, now: () => number = Date.now): SessionStore {
  // One file for each session, so that two runs at once cannot lose each other's. Addresses make no file names.
  const fileOf = (url: string, email: string) =>
    join(folder, `${createHash('sha256').update(`${url}\n${email.toLowerCase()}`).digest('hex')}.json`);
  const remove = (url: string, email: string) => rm(fileOf(url, email), { force: true });

  return {
    async read(url, email) {
      const text = await readFile(fileOf(url, email), 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const session = parse(text);
      if (session !== undefined && Date.parse(session.expiresAt) - now() > longestRunMs) return session;
      await remove(url, email);
      return undefined;
    },
    async keep(url, email, { token, expiresAt }) {
      // The mode of a data folder, see scripts/start/stack.ts: the queue's own user passes through it.
      await mkdir(join(folder, '..'), { recursive: true, mode: 0o711 });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(url, email);
      const fresh = `${file}.${randomUUID()}`;
      // A new file gets the mode, an existing one would keep its own; and nobody reads a half-written session.
      await writeFile(fresh, JSON.stringify({ token, expiresAt }), { mode: 0o600, flag: 'wx' });
      await rename(fresh, file);
    },
    remove,
  };
}

function parse(text: string): Session | undefined {
  try {
    return sessionSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Goes on with the session kept for this server and address if the server still takes it; signs in otherwise, and
 * keeps the new session.
 * @throws DemoError when the server does not answer or refuses
 */
export async function signInOnce(url: string, credentials: SignIn, store: SessionStore): Promise<Client> {
  const { email } = credentials;
  const kept = await store.read(url, email);
  if (kept !== undefined) {
    const client = createClient(url, kept);
    try {
      await client.me();
      return client;
    } catch (error) {
      if (!(error instanceof DemoError) || error.status !== 401) throw error;
      await store.remove(url, email);
    }
  }
  const session = await signIn(url, credentials);
  // A folder of another user's costs a sign-in each time, not the run.
  await store.keep(url, email, session).catch(() => {});
  return createClient(url, session);
}
