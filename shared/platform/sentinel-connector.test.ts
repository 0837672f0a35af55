import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { redisOptions } from './queue-connection.ts';
import { parseQueueUrl } from './queue-url.ts';

/** Answers commands of Redis. @param answer the reply to one, in the form of the protocol @returns its port */
async function serve(answer: (command: string, socket: Socket) => string | Promise<string>): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', async (data) => {
      const commands = data.toString().matchAll(/\*\d+\r\n((?:\$\d+\r\n[^\r]*\r\n)+)/g);
      for (const [, parts] of commands) {
        const words = [...parts!.matchAll(/\$\d+\r\n([^\r]*)\r\n/g)].map(([, word]) => word);
        const command = words.join(' ').toLowerCase();
        // The older form of the protocol, whose messages are arrays.
        const reply = command.startsWith('hello')
          ? '-NOPROTO unsupported protocol version\r\n'
          : await answer(command, socket);
        socket.write(reply);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;

test('a failover that is announced while a client connects again does not close it for ever', async () => {
  const ofClient: Socket[] = [];
  const master = await serve((command, socket) => {
    if (command !== 'info') return '+OK\r\n';
    ofClient.push(socket);
    return bulk('redis_version:7.2.0\r\nloading:0\r\n');
  });
  const subscribed: Socket[] = [];
  let lookups = 0;
  const sentinel = await serve(async (command, socket) => {
    if (command.startsWith('subscribe')) {
      subscribed.push(socket);
      return `*3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`;
    }
    if (command.startsWith('sentinel sentinels')) return '*0\r\n';
    if (!command.startsWith('sentinel get-master'))
      return command === 'info' ? bulk('loading:0\r\n') : '+OK\r\n';
    lookups += 1;
    if (lookups === 2) {
      // The client, which has lost its connection, asks: the failover is announced before it has its answer.
      for (const open of subscribed.filter(({ destroyed }) => !destroyed)) {
        open.write(`*3\r\n${bulk('message')}${bulk('+switch-master')}${bulk('packshot')}`);
        await once(open, 'close');
      }
    }
    return `*2\r\n${bulk('127.0.0.1')}${bulk(String(master))}`;
  });

  const store = parseQueueUrl(`redis+sentinel://127.0.0.1:${sentinel}/packshot`);
  if (store.kind !== 'redis') throw new Error('not a store of Redis');
  const client = new Redis(redisOptions(store));
  onTestFinished(() => client.disconnect());
  client.on('error', () => {});
  await once(client, 'ready');
  await expect.poll(() => subscribed.length).toBe(1);
  const next = Promise.race([
    once(client, 'ready').then(() => 'ready'),
    once(client, 'end').then(() => 'end'),
  ]);
  ofClient.at(-1)!.destroy();
  expect(await next).toBe('ready');
  expect(lookups).toBe(2);
});
