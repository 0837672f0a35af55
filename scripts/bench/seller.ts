import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { type GenerationView, hasEnded, paths, type SessionReply } from '#contract';
import { makeSellers } from '#scripts/start/seller.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { BenchStack } from './stack.ts';

/** A seller with one window open. */
export interface BenchSeller {
  id: string;
  token: string;
  /** Sends the sample photo. @returns the generation's id */
  submit(): Promise<string>;
  /** Resolves when the window has heard that it succeeded. @throws when it ended otherwise */
  succeeded(id: string): Promise<void>;
  close(): void;
}

export const samplePhoto = () => readFile(join(rootFolder, 'scripts', 'sample', 'coffee-cup.png'));
export const samplePrompt = 'Product on Wooden Table: in the morning';

/** Makes a seller without a limit and opens a window. */
export async function createBenchSeller({ url, config }: BenchStack): Promise<BenchSeller> {
  const { mongodbUrl, billing } = config;
  const seller = {
    email: `bench-${randomUUID()}@packshot.example`,
    password: `Aa1-${randomUUID()}`,
    fullName: 'Bench Seller',
    plan: 'enterprise',
  } as const;
  await makeSellers({ mongodbUrl, stripeUrl: billing.apiUrl! }, [seller]);
  const signIn = await fetch(url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: seller.email, password: seller.password }),
  });
  const { user, token } = (await signIn.json()) as SessionReply;
  const photo = new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' });

  const ended = new Map<string, GenerationView>();
  const waiting = new Map<string, (view: GenerationView) => void>();
  const socket = io(url, { path: paths.socket, auth: { token }, transports: ['websocket'] });
  socket.on('generation', (view: GenerationView) => {
    if (!hasEnded(view.state)) return;
    ended.set(view.id, view);
    waiting.get(view.id)?.(view);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return {
    id: user.id,
    token,
    async submit() {
      const form = new FormData();
      form.set('prompt', samplePrompt);
      form.set('images', photo, 'coffee-cup.png');
      const reply = await fetch(url + paths.generations, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
        body: form,
      });
      if (reply.status !== 202) throw new Error(`submit answered ${reply.status}: ${await reply.text()}`);
      return ((await reply.json()) as GenerationView).id;
    },
    async succeeded(id) {
      const view =
        ended.get(id) ??
        (await new Promise<GenerationView>((resolve) => {
          waiting.set(id, resolve);
        }));
      waiting.delete(id);
      ended.delete(id);
      if (view.state !== 'succeeded') throw new Error(`generation ${id} has ${view.state}`);
    },
    close: () => socket.disconnect(),
  };
}
