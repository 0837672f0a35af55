/** The server as a separate process: its messages to the parent, and durability. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createMailClient } from '../../mail/control-client.ts';
import { openTransport, plainMail } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'mail-program-'));
const programs: ChildProcess[] = [];
afterEach(async () => {
  for (const program of programs.splice(0)) await end(program, 'SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ready {
  ready: boolean;
  url: string;
  pageUrl: string;
}

async function start(...args: string[]): Promise<{ program: ChildProcess } & Ready> {
  const program = fork(join(import.meta.dirname, '../../main.ts'), ['mail', '--data', folder, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  programs.push(program);
  let said = '';
  program.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [ready] = (await Promise.race([
    once(program, 'message'),
    once(program, 'close').then(() => Promise.reject(new Error(said))),
  ])) as [Ready];
  return { program, ...ready };
}

/** Sends a signal and waits for the process to end. @returns the exit code, null after a signal */
async function end(program: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (program.exitCode !== null || program.signalCode !== null) return program.exitCode;
  const ended = once(program, 'exit');
  program.kill(signal);
  return ((await ended) as [number | null])[0];
}

test('an accepted mail survives SIGKILL', async () => {
  const first = await start();
  expect(first).toMatchObject({
    ready: true,
    url: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+$/),
    pageUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  const transport = openTransport(first.url);
  await transport.send(plainMail({ subject: 'Taken' }));
  await end(first.program, 'SIGKILL');
  transport.close();

  const second = await start();
  expect((await createMailClient(second.pageUrl).mails()).map(({ subject }) => subject)).toEqual(['Taken']);
  expect(await end(second.program, 'SIGTERM')).toBe(0);
});

test('the error for a port in use names the option that changes it', async () => {
  const { pageUrl } = await start();
  const port = new URL(pageUrl).port;
  const elsewhere = mkdtempSync(join(tmpdir(), 'mail-program-'));
  try {
    await expect(start('--web-port', port, '--data', elsewhere)).rejects.toThrow(
      `port ${port} of 127.0.0.1 is in use; choose another with --web-port`,
    );
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});
