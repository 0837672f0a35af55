/** Sessions that the next run reuses, since the server limits sign-ins per minute. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SignIn } from '#contract';
import { type Client, createClient, DemoError, type Session, signIn } from './client.ts';

/** Stores one session for each server and email address. */
export interface SessionStore {
  /** The stored session; undefined if there is none or it would expire during a run. */
  read(url: string, email: string): Promise<Session | undefined>;
  /** Stores a session and replaces an earlier one. @throws the file system's error when it cannot be written */
  write(url: string, email: string, session: Session): Promise<void>;
  remove(url: string, email: string): Promise<void>;
}

/** Contents of a session file. */
const sessionSchema = z.object({ token: z.string().min(1), expiresAt: z.iso.datetime() });

/** The longest run, in ms; a session must last until its end. */
const longestRunMs = 10 * 60_000;

/**
 * Stores sessions in files that only their owner can read.
 *
 * `npm run demo` passes a folder in `.data`: git ignores it, it holds the other secrets of this machine, and removing it
 * to start afresh removes the sessions as well.
 * @param folder created with the first session
 * @param now the time in ms since 1970
 */
export function createSessionStore(folder: string, now: () => number = Date.now): SessionStore {
  // A file for each session, so that concurrent runs do not overwrite each other's. Hashed: addresses are no file names.
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
    async write(url, email, { token, expiresAt }) {
      // The mode of the data folder, see `prepareDataFolder` in scripts/start/stack.ts.
      await mkdir(join(folder, '..'), { recursive: true, mode: 0o711 });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(url, email);
      const fresh = `${file}.${randomUUID()}`;
      // A rename is atomic, and only a new file gets the mode.
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
 * Reuses the stored session for this server and address if it is still valid. Otherwise signs in and stores the session.
 * @throws DemoError for an error reply or no reply
 */
export async function signInOnce(url: string, credentials: SignIn, store: SessionStore): Promise<Client> {
  const { email } = credentials;
  const stored = await store.read(url, email);
  if (stored !== undefined) {
    const client = createClient(url, stored);
    try {
      await client.me();
      return client;
    } catch (error) {
      if (!(error instanceof DemoError) || error.status !== 401) throw error;
      await store.remove(url, email);
    }
  }
  const session = await signIn(url, credentials);
  // Without write access the next run signs in again.
  await store.write(url, email, session).catch(() => {});
  return createClient(url, session);
}
