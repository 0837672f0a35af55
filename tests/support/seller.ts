/** A seller as an API client: accounts, requests, uploads and sockets. */
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import {
  type CancelledGeneration,
  type ErrorReply,
  type GenerationList,
  type GenerationSet,
  type GenerationView,
  hasEnded,
  type Me,
  type PlanId,
  paths,
  type ServerEvents,
} from '#contract';
import { createAccount } from '#shared/data/accounts/create.ts';
import { startSession } from '#shared/data/accounts/sessions.ts';
import type { Db } from '#shared/data/db.ts';
import type { Config } from '#shared/platform/config.ts';
import { hash } from './cheap-argon2.ts';
import { payFor } from './paid.ts';
import { samplePhoto } from './photos.ts';
import { tokenOf } from './session-token.ts';

export interface NewSeller {
  plan?: PlanId;
  email?: string;
  /** False for a seller who has chosen the plan but not paid. */
  paid?: boolean;
  /** Another server of the same stack, to which the requests go. */
  url?: string;
}

/** The fields of a generation form. A photo is its bytes, or an object that also sets its file name and declared type. */
export interface Form {
  prompt?: string;
  productName?: string;
  photos?: (Buffer | { bytes: Buffer; name: string; type: string })[];
  fields?: [name: string, value: string][];
  idempotencyKey?: string;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** A signed-in seller as an API client: the session token goes in the Authorization header. */
export interface Seller {
  id: string;
  email: string;
  password: string;
  token: string;
  request<Body = ErrorReply>(path: string, init?: RequestInit): Promise<Answer<Body>>;
  /** Sends a request whose reply is not JSON. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Posts a generation form, by default with a prompt and one sample photo. */
  send<Body = GenerationSet>(form?: Form): Promise<Answer<Body>>;
  /** Posts a generation form and throws unless it is accepted. @returns the first generation */
  submit(form?: Form): Promise<GenerationView>;
  /** The same for a form that asks for several images. @returns all generations */
  submitSet(numImages: number, form?: Form): Promise<GenerationView[]>;
  generation(id: string): Promise<GenerationView>;
  generations(): Promise<GenerationView[]>;
  /** Cancels a generation. @param useImage whether the seller agrees that it uses the image; no body unless given */
  cancel(id: string, useImage?: boolean): Promise<Answer<CancelledGeneration & ErrorReply>>;
  me(): Promise<Me>;
  /** Connects a socket. */
  openWindow(): Promise<SellerWindow>;
}

/** A connected socket and the views of generations that it has received. */
export interface SellerWindow {
  socket: Socket<ServerEvents>;
  views: GenerationView[];
  /** Resolves with the first matching view of a generation, whether it was received already or comes later. */
  until(id: string, matches: (view: GenerationView) => boolean): Promise<GenerationView>;
  /** Resolves when the generation has ended. */
  untilEnded(id: string): Promise<GenerationView>;
  close(): void;
}

export const testPassword = 'Correct-Horse-7';

/** The lowest cost even if the server hashes at the product's cost, because many test sellers sign in. */
const cheapHash = hash(testPassword);

/**
 * Makes a seller with a verified address, a session and, by default, a paid plan. The session is stored without signing
 * in, which takes 25 commands of the database: a sign-in is tested where a test signs in.
 */
export async function createSeller(
  { db, config, url: ownUrl }: { db: Db; config: Config; url: string },
  details: NewSeller = {},
): Promise<Seller> {
  const {
    url = ownUrl,
    email = `seller-${randomUUID()}@shop.example`,
    plan = 'freelance',
    paid = true,
  } = details;
  const account = await createAccount(db, {
    email,
    fullName: 'Test Seller',
    passwordHash: await cheapHash,
    plan,
    verified: true,
  });
  if (!account) throw new Error(`the address ${email} has an account already`);
  if (paid) await payFor(db, account.user._id, plan);
  const session = await startSession(db, account.user._id, {
    device: 'node',
    address: '127.0.0.1',
    idle_minutes: 30,
    factors: ['password'],
  });
  const token = tokenOf(session, config.sessionSecret);

  function fetchAsSeller(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    return fetch(url + path, { ...init, headers });
  }
  async function request<Body>(path: string, init?: RequestInit): Promise<Answer<Body>> {
    const reply = await fetchAsSeller(path, init);
    const text = await reply.text();
    const json = reply.headers.get('content-type')?.includes('json');
    return { status: reply.status, headers: reply.headers, body: (json ? JSON.parse(text) : text) as Body };
  }
  async function read<Body>(path: string): Promise<Body> {
    const { status, body } = await request<Body>(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  const seller: Seller = {
    id: account.user._id,
    email,
    password: testPassword,
    token,
    request,
    fetch: fetchAsSeller,
    async send<Body>(form: Form = {}) {
      const headers = form.idempotencyKey ? { 'idempotency-key': form.idempotencyKey } : undefined;
      return request<Body>(paths.generations, {
        method: 'POST',
        body: await toFormData(form),
        ...(headers ? { headers } : {}),
      });
    },
    async submit(form) {
      return (await seller.submitSet(1, form))[0]!;
    },
    async submitSet(numImages, form = {}) {
      const size: [string, string][] = numImages === 1 ? [] : [['numImages', String(numImages)]];
      const { status, body } = await seller.send({ ...form, fields: [...(form.fields ?? []), ...size] });
      if (status !== 202) throw new Error(`submit answered ${status}: ${JSON.stringify(body)}`);
      return body.generations;
    },
    generation: (id) => read(paths.generation(id)),
    generations: async () => (await read<GenerationList>(`${paths.generations}?limit=100`)).generations,
    cancel: (id, useImage) =>
      request(paths.cancelGeneration(id), {
        method: 'POST',
        ...(useImage !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ useImage }),
        }),
      }),
    me: () => read(paths.me),
    openWindow: () => openWindow(url, token),
  };
  return seller;
}

async function toFormData(form: Form): Promise<FormData> {
  const data = new FormData();
  data.set('prompt', form.prompt ?? 'On a wooden table in the morning');
  if (form.productName !== undefined) data.set('productName', form.productName);
  for (const [name, value] of form.fields ?? []) data.append(name, value);
  for (const photo of form.photos ?? [await samplePhoto()]) {
    const { bytes, name, type } = Buffer.isBuffer(photo)
      ? { bytes: photo, name: 'photo.png', type: 'image/png' }
      : photo;
    data.append('images', new Blob([new Uint8Array(bytes)], { type }), name);
  }
  return data;
}

/** Connects a socket with a session. */
export async function openWindow(url: string, token: string): Promise<SellerWindow> {
  const socket: Socket<ServerEvents> = io(url, {
    path: paths.socket,
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
  });
  const views: GenerationView[] = [];
  const waiting = new Set<(view: GenerationView) => void>();
  socket.on('generation', (view) => {
    views.push(view);
    for (const check of waiting) check(view);
  });
  const until = (id: string, matches: (view: GenerationView) => boolean) =>
    new Promise<GenerationView>((resolve) => {
      const check = (view: GenerationView) => {
        if (view.id !== id || !matches(view)) return;
        waiting.delete(check);
        resolve(view);
      };
      waiting.add(check);
      for (const view of views) check(view);
    });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return {
    socket,
    views,
    until,
    untilEnded: (id) => until(id, (view) => hasEnded(view.state)),
    close: () => socket.disconnect(),
  };
}
