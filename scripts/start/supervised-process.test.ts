import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { childEnvironment } from './child-environment.ts';
import { StackError } from './process.ts';
import { createProcessGroup, type ProcessGroup } from './process-group.ts';
import type { SupervisedOptions } from './supervised-process.ts';

let folder: string;
let group: ProcessGroup;
let abort: AbortController;
/** What the developer reads. */
let screen: string[];

beforeEach(async () => {
  folder = await newFolder();
  screen = [];
  abort = new AbortController();
  group = createProcessGroup((line) => screen.push(line), abort.signal);
});
afterEach(() => group.close());

/** Listens on the port that it is told, else on a free one, and says its process id when it is asked. */
const server = `
  import { createServer } from 'node:http';
  const port = Number(process.argv[2] ?? 0);
  const server = createServer((_request, reply) => reply.end(String(process.pid)));
  server.listen(port, '127.0.0.1', () => process.send({ ready: true, url: 'http://127.0.0.1:' + server.address().port }));
`;

async function start(program: string, options: Partial<SupervisedOptions> = {}) {
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  return group.start('program', {
    name: 'program',
    command: [file],
    env: childEnvironment({}),
    logFolder: join(folder, 'logs'),
    endMs: limitMs(1_000),
    sameAddress: ({ url }) => [new URL(url!).port],
    ...options,
  });
}

/** The process id that the program answers with; undefined while it does not answer. */
async function pidAt(url: string | undefined): Promise<number | undefined> {
  const answer = await fetch(url!).catch(() => undefined);
  return answer && Number(await answer.text());
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a process that dies is started again at its address, and the screen and the log say how it ended', async () => {
  const program = await start(`console.log('before'); ${server}`);
  group.keepRunning();
  const before = await pidAt(program.url);
  process.kill(before!, 'SIGKILL');
  await expect.poll(() => screen.at(-1)).toBe('program runs again');
  expect(await pidAt(program.url)).not.toBe(before);
  expect(screen[0]).toMatch(
    /^program was ended by SIGKILL\. Its log: .*program\.log\. It is started again \(1 of at most 5 times in 10 minutes\)$/,
  );
  expect(await readFile(join(folder, 'logs', 'program.log'), 'utf8')).toBe(
    'before\nprogram was ended by SIGKILL, and is started again\nbefore\n',
  );
});

test('a process that dies every time is given up, with its reason and the last lines of its log', async () => {
  const restartLimit = { most: 3, withinMs: 3_600_000, pauseMs: 1 };
  const dies =
    "process.send({ ready: true }); console.error('no disk'); setImmediate(() => process.exit(3));";
  await start(`import { setTimeout } from 'node:timers/promises'; ${dies}`, {
    restartLimit,
    sameAddress: () => [],
  });
  group.keepRunning();
  const failure = await group.failure;
  expect(failure).toBeInstanceOf(StackError);
  expect(failure.message).toMatch(
    /^program ended with code 3\. Its log: .*program\.log\. It was started again 3 times in 60 minutes$/,
  );
  expect(failure.logLines).toContain('no disk');
  expect(screen.filter((line) => /is started again/.test(line))).toHaveLength(3);
});

test('a death while the stack starts ends it', async () => {
  const program = await start(server);
  process.kill((await pidAt(program.url))!, 'SIGKILL');
  expect((await group.failure).message).toMatch(/^program was ended by SIGKILL/);
  group.keepRunning();
  expect(screen).toEqual([]);
  await expect(start('process.exit(2)')).rejects.toThrow(/^program ended with code 2/);
});

test.for(['close', 'abort'] as const)(
  'nothing is left when it is ended (%s) while it starts again',
  async (how) => {
    // The second time it says its process id and does not get ready.
    const program = await start(
      `if (process.argv[2] !== undefined) { console.log('pid ' + process.pid); setInterval(() => {}, 1e6); } else { ${server.replace(/import .*;/, "const { createServer } = await import('node:http');")} }`,
      { onLine: (line) => screen.push(line) },
    );
    group.keepRunning();
    process.kill((await pidAt(program.url))!, 'SIGKILL');
    const pidLine = () => screen.find((line) => line.startsWith('pid '));
    await expect.poll(pidLine).toBeDefined();
    const pid = Number(pidLine()!.slice('pid '.length));
    expect(isAlive(pid)).toBe(true);
    if (how === 'abort') {
      abort.abort();
      await expect.poll(() => isAlive(pid)).toBe(false);
    }
    await group.close();
    expect(isAlive(pid)).toBe(false);
    expect(screen).not.toContain('program runs again');
  },
);

test('with sources, it is started again when they change, and after a failure waits for a change', async () => {
  const sources = [folder];
  const imported = join(folder, 'imported.ts');
  const write = (version: string) => writeFile(imported, `export const version = ${version};`);
  const replace = async (version: string) => {
    await writeFile(`${imported}.new`, `export const version = ${version};`);
    await rename(`${imported}.new`, imported);
  };
  await write("'first'");
  const heard: string[] = [];
  await start(`import { version } from './imported.ts'; console.log('version ' + version); ${server}`, {
    sources,
    onLine: (line) => heard.push(line),
  });
  group.keepRunning();
  await expect.poll(() => heard.at(-1)).toBe('version first');
  await replace("'replaced once'");
  await expect.poll(() => heard.at(-1)).toBe('version replaced once');
  await replace("'replaced again'");
  await expect.poll(() => heard.at(-1)).toBe('version replaced again');
  await write("(() => { throw new Error('broken on purpose'); })()");
  await expect
    .poll(() => screen.at(-1))
    .toMatch(/^program ended with code 1.* is started again when a file changes$/);
  expect(heard.join()).toMatch(/broken on purpose/);
  await write("'mended'");
  await expect.poll(() => heard.at(-1)).toBe('version mended');
  await expect.poll(() => screen.at(-1)).toBe('program runs again');
});

test('with sources, a program that is broken at its first start waits for a change', async () => {
  const file = join(folder, 'program.ts');
  await writeFile(file, "throw new Error('broken on purpose');");
  const starting = start('', { command: [file], sources: [folder] });
  await expect.poll(() => screen.at(-1)).toMatch(/is started again when a file changes$/);
  await writeFile(
    file,
    server.replaceAll('_request', '_request: unknown').replaceAll('process.send', 'process.send!'),
  );
  expect(await pidAt((await starting).url)).toBeGreaterThan(0);
});

test('a start that is given up ends, also while a broken program waits for a change', async () => {
  const waiting = start('process.exit(1)', { sources: [folder] });
  await expect.poll(() => screen.at(-1)).toMatch(/is started again when a file changes$/);
  abort.abort();
  await expect(waiting).rejects.toThrow(/aborted/);
  await expect(start(server)).rejects.toThrow(/aborted/);
});
