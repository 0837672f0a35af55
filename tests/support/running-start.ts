/** Processes and images of a Packshot that `npm start` or `npm run dev` runs, for the tests of these commands. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GenerationView } from '#contract';
import { demoSeller } from '#scripts/start/demo-sellers.ts';
import { type Client, createClient, type Session, signIn } from '#scripts/start/seller-client.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { collectEnded, openSocket } from './connected-seller.ts';

const run = promisify(execFile);

export interface SystemProcess {
  pid: number;
  parent: number;
  /** Its command line. */
  command: string;
}

/** The processes of this machine whose command lines contain a text, and those of a group of processes. */
export async function processesWith(text: string, group?: number): Promise<SystemProcess[]> {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, ofGroup, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    const isWanted = command?.includes(text) || Number(ofGroup) === group;
    return isWanted ? [{ pid: Number(pid), parent: Number(parent), command: command! }] : [];
  });
}

/** Signs the demo seller in at a server. */
export const demoSession = (url: string): Promise<Session> =>
  signIn(url, { email: demoSeller.email, password: demoSeller.password });

/** The demo seller at a server. */
export async function demoClient(url: string): Promise<Client> {
  return createClient(url, await demoSession(url));
}

/** Submits a photo. @returns the generation, which has not ended */
export function submitImage(client: Client): Promise<GenerationView> {
  const photos = [join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png')];
  return client.submit({ photos, scene: 'on an oak table', productName: 'Cup' });
}

/** Makes an image. @returns the state in which the generation ended */
export async function makeImage(client: Client): Promise<string> {
  return (await client.follow(await submitImage(client), () => {})).state;
}

/**
 * Makes an image as a page of the web app does: only the socket says when it is there.
 * @param url where the web app is served
 * @returns the image's bytes
 */
export async function imageBySocket(url: string, session: Session): Promise<Buffer> {
  const client = createClient(url, session);
  const socket = await openSocket(url, session.token, url);
  try {
    const ended = collectEnded(socket);
    const { image, state } = await ended((await submitImage(client)).id);
    if (image === null) throw new Error(`the generation ended as ${state}`);
    return await client.download(image.url);
  } finally {
    socket.disconnect();
  }
}
