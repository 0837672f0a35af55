/** Processes and images of a Packshot that `npm start` or `npm run dev` runs, for the tests of these commands. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GenerationView } from '#contract';
import { type Client, createClient, signIn } from '#scripts/demo/client.ts';
import { demoSeller } from '#scripts/start/seller.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';

const run = promisify(execFile);

export interface SystemProcess {
  pid: number;
  parent: number;
  /** Its command line. */
  command: string;
}

/** The processes of this machine whose command lines contain a text. */
export async function processesWith(text: string): Promise<SystemProcess[]> {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command?.includes(text) ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}

/** The demo seller at a server. */
export async function demoClient(url: string): Promise<Client> {
  return createClient(url, await signIn(url, { email: demoSeller.email, password: demoSeller.password }));
}

/** Submits a photo. @returns the generation, which has not ended */
export async function submitImage(client: Client): Promise<GenerationView> {
  const photos = [join(rootFolder, 'tests', 'support', 'sample', 'coffee-cup.png')];
  const [generation] = await client.submit({ photos, scene: 'on an oak table', productName: 'Cup' });
  return generation!;
}

/** Makes an image. @returns the state in which the generation ended */
export async function makeImage(client: Client): Promise<string> {
  return (await client.follow(await submitImage(client), () => {})).state;
}
