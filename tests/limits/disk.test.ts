/** How many bytes an attacker can make a server store or read. */

import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { paths } from '#contract';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestHead, sendEndlessly } from '#tests/support/connections.ts';
import { limitMs } from '#tests/support/machine.ts';
import { signInSeller } from './accounts.ts';
import { watchMemory } from './memory.ts';
import { atMost, below, type Figure, megabytes, testAttack } from './runner.ts';

const megabyte = 1024 * 1024;

const requests = 10;
const photos = 4;
const photoBytes = 20 * megabyte;
const formBytes = photos * photoBytes;
/** Enough time to send ten forms of 80 MB and to keep them open. */
const heldMs = 20_000;
/** A storage tests its folder with a file of this size, once a second. */
const probeBytes = 4_096;
const boundary = 'attack';

testAttack(
  `${requests} uploads of ${photos} × 20 MB that then slow to 1 B/s, and forms with a part that never ends`,
  async (stack) => {
    return [
      await stalledUploads(stack, 'a seller without a plan', false, 0),
      await stalledUploads(stack, 'a seller with a plan', true, 2 * formBytes),
      ...(await endlessParts(stack)),
    ];
  },
);

/** Sends uploads that stall before their end. */
async function stalledUploads(
  stack: CampaignStack,
  who: string,
  paid: boolean,
  mostBytes: number,
): Promise<Figure> {
  const token = await signInSeller(stack, paid);
  const stopWatching = watchIncoming(stack);
  await Promise.all(Array.from({ length: requests }, () => sendStalledUpload(stack.url, token)));
  const peak = await stopWatching();
  return atMost(`${who}: peak bytes on disk`, peak, mostBytes, megabytes);
}

/** Samples the size of incomplete uploads. @returns a function that stops it and returns the highest total, in bytes */
function watchIncoming({ storageFolder }: CampaignStack): () => Promise<number> {
  const folder = join(storageFolder, 'incoming');
  let peak = 0;
  const sample = async () => {
    const names = await readdir(folder).catch(() => []);
    const sizes = names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => (size > probeBytes ? size : 0),
        () => 0,
      ),
    );
    peak = Math.max(
      peak,
      (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    );
  };
  const timer = setInterval(() => void sample(), 100);
  return async () => {
    clearInterval(timer);
    await sample();
    return peak;
  };
}

/** Sends a form without its end, then one byte per second, until the server closes the connection or the time is up. */
function sendStalledUpload(url: string, token: string): Promise<void> {
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
    let interval: NodeJS.Timeout | undefined;
    const end = () => {
      clearInterval(interval);
      clearTimeout(timeout);
      socket.destroy();
      resolve();
    };
    const timeout = setTimeout(end, heldMs);
    const sendMore = () => {
      for (;;) {
        const piece = pieces.shift();
        if (!piece) {
          interval = setInterval(() => socket.writable && socket.write('x'), 1_000);
          return;
        }
        if (!socket.write(piece)) return void socket.once('drain', sendMore);
      }
    };
    socket.on('connect', () => {
      // The announced length is longer than what is sent, so the server keeps waiting.
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': bytes + 1_000,
      };
      socket.write(requestHead('POST', paths.generations, headers));
      sendMore();
    });
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', end);
  });
}

const maxBytes = 500 * megabyte;

/** Sends forms with a part that never ends: how much the server reads before it replies, and how its memory grows. */
async function endlessParts(stack: CampaignStack): Promise<Figure[]> {
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
  const server = stack.process('server');
  const figures: Figure[] = [];
  const before = watchMemory(server.pid).stop();
  const memory = watchMemory(server.pid);
  for (const [what, first] of kinds) {
    const { sentBeforeReply, sent, received } = await sendEndlessly(
      stack.url,
      `${beginning}${first.length.toString(16)}\r\n${first}\r\n`,
      { block: Buffer.alloc(megabyte, 'x'), maxBytes, timeoutMs: limitMs(30_000) },
    );
    const read = sentBeforeReply ?? sent;
    const status = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'no reply';
    figures.push({
      what: `an endless ${what}: read before the reply`,
      limit: '< 16 MB, 413',
      measured: `${megabytes(read)}, ${status}`,
      passed: read < 16 * megabyte && status === '413',
    });
  }
  const growth = memory.stop() - before;
  return [
    ...figures,
    below("endless parts: peak growth of the server's memory", growth, 100 * megabyte, megabytes),
  ];
}
