/** Sellers that submit generations and wait for their results on a socket. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { io, type Socket } from 'socket.io-client';
import { type GenerationSet, type GenerationView, hasEnded, paths } from '#contract';
import { makeSellers } from '#scripts/start/seller.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestGeneration, signIn } from './api-client.ts';
import { samplePhotoFile, samplePrompt } from './sample-photo.ts';

/** A signed-in seller with one open socket. */
export interface BenchSeller {
  id: string;
  token: string;
  /** Submits a PNG, by default the sample photo. @returns the generation's id */
  submit(photo?: Blob): Promise<string>;
  /** Resolves when the socket has received the generation as succeeded. @throws Error if it ended otherwise */
  succeeded(id: string): Promise<void>;
  /** Resolves when the socket has received the match of a generation's image. */
  compared(id: string): Promise<void>;
}

/** Creates a seller on the unlimited plan and opens a socket, which closes with the stack. */
export async function createBenchSeller({ url, config, onClose }: CampaignStack): Promise<BenchSeller> {
  const seller = {
    email: `bench-${randomUUID()}@packshot.example`,
    password: `Aa1-${randomUUID()}`,
    fullName: 'Bench Seller',
    plan: 'enterprise',
  } as const;
  await makeSellers({ mongodbUrl: config.mongodbUrl, stripeUrl: config.billing.apiUrl! }, [seller]);
  const { user, token } = await signIn(url, seller);
  const samplePhoto = new Blob([new Uint8Array(await readFile(samplePhotoFile))], { type: 'image/png' });
  const socket = await openSocket(url, token);
  onClose(() => socket.disconnect());
  const ended = collectEnded(socket);
  const matched = collectViews(socket, ({ match }) => match !== null);
  return {
    id: user.id,
    token,
    async submit(photo = samplePhoto) {
      const fileName = 'coffee-cup.png';
      const response = await requestGeneration(url, token, { prompt: samplePrompt, photo, fileName });
      if (response.status !== 202)
        throw new Error(`submit answered ${response.status}: ${await response.text()}`);
      const { generations } = (await response.json()) as GenerationSet;
      return generations[0]!.id;
    },
    async succeeded(id) {
      const view = await ended(id);
      if (view.state !== 'succeeded') throw new Error(`generation ${id} ended as ${view.state}`);
    },
    async compared(id) {
      await matched(id);
    },
  };
}

/**
 * Opens a connected socket, separate from all others of this process.
 * @param origin as a browser sends it for a page that is served there
 */
export async function openSocket(url: string, token: string, origin?: string): Promise<Socket> {
  const socket = io(url, {
    path: paths.socket,
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    ...(origin && { extraHeaders: { origin } }),
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/** @returns a function that waits until the socket has received a generation in a final state */
export function collectEnded(socket: Socket): (id: string) => Promise<GenerationView> {
  return collectViews(socket, ({ state }) => hasEnded(state));
}

/** @returns a function that waits until the socket has received a generation that is wanted */
function collectViews(
  socket: Socket,
  isWanted: (view: GenerationView) => boolean,
): (id: string) => Promise<GenerationView> {
  const ended = new Map<string, GenerationView>();
  const waiting = new Map<string, (view: GenerationView) => void>();
  socket.on('generation', (view: GenerationView) => {
    if (!isWanted(view)) return;
    ended.set(view.id, view);
    waiting.get(view.id)?.(view);
  });
  return async (id) => {
    const view =
      ended.get(id) ??
      (await new Promise<GenerationView>((resolve) => {
        waiting.set(id, resolve);
      }));
    waiting.delete(id);
    ended.delete(id);
    return view;
  };
}
