/** Bytes that an attacker makes a server keep, or take. */
import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { paths } from '#contract';
import type { BenchStack } from '#scripts/bench/stack.ts';
import type { Attack, Figure } from './attack.ts';
import { requestHead, sendEndlessly } from './connections.ts';
import { watchMemory } from './memory.ts';
import { signInSeller } from './sellers.ts';

const megabyte = 1024 * 1024;
const inMegabytes = (bytes: number) => `${(bytes / megabyte).toFixed(0)} MB`;

const requests = 10;
const photos = 4;
const photoBytes = 20 * megabyte;
const formBytes = photos * photoBytes;
/** Time for ten forms of 80 MB to come, and to be held. */
const heldMs = 20_000;
const boundary = 'attack';

export const disk: Attack = {
  name: 'disk',
  title: `${requests} uploads of ${photos} × 20 MB that then slow to 1 B/s, and forms with a part that never ends`,
  async run(stack) {
    return [
      await held(stack, 'a seller without a plan', false, 0),
      await held(stack, 'a seller with a plan', true, 2 * formBytes),
      ...(await endless(stack)),
    ];
  },
};

async function held(stack: BenchStack, who: string, paid: boolean, mostBytes: number): Promise<Figure> {
  const token = await signInSeller(stack, paid);
  const watch = watchIncoming(stack);
  await Promise.all(Array.from({ length: requests }, () => hold(stack.url, token)));
  const peak = await watch();
  return {
    what: `${who}: bytes held on the disk at their peak`,
    asked: mostBytes === 0 ? '0 MB' : `at most ${inMegabytes(mostBytes)}`,
    measured: inMegabytes(peak),
    held: peak <= mostBytes,
  };
}

/** Watches the files of uploads under way. @returns a function that ends it and gives the most bytes that they had */
function watchIncoming({ config }: BenchStack): () => Promise<number> {
  const folder = join(config.storageFolder, 'incoming');
  let peak = 0;
  const look = async () => {
    const names = await readdir(folder).catch(() => []);
    const sizes = names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    peak = Math.max(
      peak,
      (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    );
  };
  const timer = setInterval(() => void look(), 100);
  return async () => {
    clearInterval(timer);
    await look();
    return peak;
  };
}

/** Sends a form but for its end, then a byte a second, until it is cut off or the time is over. */
function hold(url: string, token: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const part = Buffer.from(
    `\r\n--${boundary}\r\ncontent-disposition: form-data; name="images"; filename="a.png"\r\n\r\n`,
  );
  const block = Buffer.alloc(megabyte, 'x');
  const pieces = Array.from({ length: photos }, () => [
    part,
    ...Array.from({ length: photoBytes / megabyte }, () => block),
  ]).flat();
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve) => {
    let dripping: NodeJS.Timeout | undefined;
    const end = () => {
      clearInterval(dripping);
      clearTimeout(late);
      socket.destroy();
      resolve();
    };
    const late = setTimeout(end, heldMs);
    const more = () => {
      for (;;) {
        const piece = pieces.shift();
        if (!piece) {
          dripping = setInterval(() => socket.writable && socket.write('x'), 1_000);
          return;
        }
        if (!socket.write(piece)) return void socket.once('drain', more);
      }
    };
    socket.on('connect', () => {
      // It announces more than it sends, so that the server goes on waiting.
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': bytes + 1_000,
      };
      socket.write(requestHead('POST', paths.generations, headers));
      more();
    });
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', end);
  });
}

const pouredMost = 500 * megabyte;

/** Forms with one part that never ends: what the server takes before it answers, and how its memory grows. */
async function endless(stack: BenchStack): Promise<Figure[]> {
  const token = await signInSeller(stack, true);
  const beginning = requestHead('POST', paths.generations, {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'transfer-encoding': 'chunked',
  });
  const part = (more: string) => `--${boundary}\r\ncontent-disposition: form-data; ${more}`;
  const whole = `${part('name="prompt"')}\r\n\r\nx\r\n--${boundary}--\r\n`;
  const kinds: [what: string, first: string][] = [
    ['preamble', 'x'],
    ['header of a part', part('name="')],
    ['text field', `${part('name="prompt"')}\r\n\r\n`],
    ['epilogue', whole],
  ];
  const server = stack.processes.find(({ name }) => name === 'server')!;
  const figures: Figure[] = [];
  const memory = watchMemory(server.pid);
  const before = memory.stop();
  const peak = watchMemory(server.pid);
  for (const [what, first] of kinds) {
    const { sentBeforeReply, sent, received } = await sendEndlessly(
      stack.url,
      `${beginning}${first.length.toString(16)}\r\n${first}\r\n`,
      { block: Buffer.alloc(megabyte, 'x'), maxBytes: pouredMost, timeoutMs: 30_000 },
    );
    const taken = sentBeforeReply ?? sent;
    const status = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'nothing';
    figures.push({
      what: `an endless ${what}: taken before the answer`,
      asked: '< 16 MB, 413',
      measured: `${inMegabytes(taken)}, ${status}`,
      held: taken < 16 * megabyte && status === '413',
    });
  }
  const grown = peak.stop() - before;
  return [
    ...figures,
    {
      what: "endless parts: growth of the server's memory at its peak",
      asked: '< 100 MB',
      measured: inMegabytes(grown),
      held: grown < 100 * megabyte,
    },
  ];
}
