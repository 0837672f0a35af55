import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMongoServer } from '../../mongo/server.ts';
import { limitMs } from '../harness.ts';
import { givenUrl } from './target.ts';

/** These tests need the local server, because they kill it. */
const own = describe.skipIf(givenUrl !== undefined);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-mongo-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const SERVER = new URL('../../mongo/server.ts', import.meta.url).href;

/** Runs the server as a separate process, which prints its URL when it is ready. */
function spawnServer(): ChildProcess {
  const program = `import { startMongoServer } from ${JSON.stringify(SERVER)};
    const { url } = await startMongoServer({ port: 0, dataFolder: ${JSON.stringify(folder)} });
    console.log(url);`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawnServer();
  const [url] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { child, url };
}

own('a killed server', () => {
  it('loses no acknowledged write, and its indexes are consistent', async () => {
    const { child, url } = await startProcess();
    const client = new MongoClient(url, { serverSelectionTimeoutMS: limitMs(500), retryWrites: false });
    const things = client.db('test').collection('things');
    await things.createIndex({ n: 1 }, { unique: true });
    const inserted = new Set<number>();
    let counted = 0;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; ; round++) {
        const n = round * 8 + writer;
        await things.insertOne({ _id: n as never, n });
        inserted.add(n);
        await things.updateOne({ _id: 'counter' as never }, { $inc: { count: 1 } }, { upsert: true });
        counted++;
        if (inserted.size >= 200) child.kill('SIGKILL');
      }
    });
    await Promise.allSettled(writers);
    await client.close();
    expect(inserted.size).toBeGreaterThanOrEqual(200);

    const again = await startMongoServer({ port: 0, dataFolder: folder });
    const reopened = await new MongoClient(again.url).connect();
    const survivors = reopened.db('test').collection('things');
    const found = new Set((await survivors.find({ n: { $exists: true } }).toArray()).map(({ n }) => n));
    expect([...inserted].filter((n) => !found.has(n))).toEqual([]);
    expect((await survivors.findOne({ _id: 'counter' as never }))!.count).toBeGreaterThanOrEqual(counted);
    for (const n of found) expect(await survivors.countDocuments({ n }, { hint: 'n_1' })).toBe(1);
    await expect(survivors.insertOne({ n: 5 })).rejects.toMatchObject({ code: 11000 });
    await reopened.close();
    await again.close();
  });
});

own('a data folder', () => {
  it('keeps its data across restarts', async () => {
    for (const round of [1, 2, 3]) {
      const server = await startMongoServer({ port: 0, dataFolder: folder });
      const client = await new MongoClient(server.url).connect();
      const things = client.db('test').collection('things');
      await things.insertOne({ round });
      expect(await things.countDocuments()).toBe(round);
      await client.close();
      await server.close();
    }
  });

  it('can be used by one server at a time', async () => {
    const server = await startMongoServer({ port: 0, dataFolder: folder });
    await expect(startMongoServer({ port: 0, dataFolder: folder })).rejects.toThrow(
      /in use by another MongoDB server/,
    );
    const other = spawnServer();
    const [status] = (await once(other, 'exit')) as [number];
    expect(status).not.toBe(0);
    await server.close();
    await (await startMongoServer({ port: 0, dataFolder: folder })).close();
  });

  it('is removed on close when it is temporary', async () => {
    const server = await startMongoServer({ port: 0 });
    await server.close();
  });
});

own('a taken port', () => {
  it('is reported as an error', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    await expect(startMongoServer({ port, dataFolder: folder })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    blocker.close();
  });
});
