import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Collection, MongoClient } from 'mongodb';

/**
 * Benchmarks the local MongoDB server through the driver with 100,000 documents, sequentially and in parallel. With a
 * URL as its argument it measures that server instead: `bench.ts mongodb://127.0.0.1:27017`.
 */
const DOCUMENTS = 100_000;

interface Figures {
  name: string;
  p50: number;
  p99: number;
  perSecond: number;
}

/** Runs a function repeatedly and prints its latency in milliseconds. */
async function measure(name: string, times: number, run: (n: number) => Promise<unknown>): Promise<Figures> {
  for (let n = 0; n < Math.min(50, times); n++) await run(n);
  const each: number[] = [];
  const start = performance.now();
  for (let n = 0; n < times; n++) {
    const before = performance.now();
    await run(n);
    each.push(performance.now() - before);
  }
  const total = performance.now() - start;
  each.sort((a, b) => a - b);
  const at = (share: number) => each[Math.min(each.length - 1, Math.floor(each.length * share))]!;
  return { name, p50: at(0.5), p99: at(0.99), perSecond: (times / total) * 1000 };
}

/** Runs a function many times in parallel and prints the throughput per second. */
async function measureParallel(
  name: string,
  times: number,
  run: (n: number) => Promise<unknown>,
): Promise<Figures> {
  const start = performance.now();
  await Promise.all(Array.from({ length: times }, (_, n) => run(n)));
  const total = performance.now() - start;
  return { name, p50: Number.NaN, p99: total, perSecond: (times / total) * 1000 };
}

async function fill(things: Collection): Promise<number> {
  const start = performance.now();
  for (let from = 0; from < DOCUMENTS; from += 1000) {
    const documents = Array.from({ length: 1000 }, (_, at) => ({
      _id: (from + at) as never,
      email: `seller${from + at}@example.com`,
      shop: (from + at) % 1000,
      createdAt: new Date(1_700_000_000_000 + from + at),
      text: 'x'.repeat(200),
    }));
    await things.insertMany(documents);
  }
  return performance.now() - start;
}

async function printPlans(things: Collection): Promise<void> {
  const filters = [
    { _id: 77_777 },
    { email: 'seller77777@example.com' },
    { shop: 77, createdAt: { $gte: new Date(0) } },
    { text: 'y' },
  ];
  for (const filter of filters) {
    const { queryPlanner, executionStats } = await things.find(filter as never).explain('executionStats');
    const plan = queryPlanner.winningPlan;
    const stage = plan.inputStage ? `${plan.inputStage.stage} ${plan.inputStage.indexName}` : plan.stage;
    const { totalDocsExamined, nReturned, executionTimeMillis } = executionStats;
    console.log(
      `  ${JSON.stringify(filter).padEnd(62)} ${stage.padEnd(28)} looked at ${totalDocsExamined} documents for ${nReturned} (${executionTimeMillis} ms)`,
    );
  }
}

/** Starts the server in a separate process, as in normal use. */
async function startServer(dataFolder: string): Promise<{ url: string; stop: () => void }> {
  const program = `import { startMongoServer } from ${JSON.stringify(new URL('server.ts', import.meta.url).href)};
    console.log((await startMongoServer({ port: 0, dataFolder: ${JSON.stringify(dataFolder)} })).url);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, stop: () => child.kill() };
}

const given = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'bench-mongo-'));
const server = given ? { url: given, stop: () => undefined } : await startServer(folder);
const client = await new MongoClient(server.url, { maxPoolSize: 100 }).connect();
const database = client.db(`bench_${process.pid}`);
const things = database.collection('things');
try {
  await things.createIndexes([{ key: { email: 1 }, unique: true }, { key: { shop: 1, createdAt: -1 } }]);
  console.log(`${DOCUMENTS} documents with two indexes stored in ${Math.round(await fill(things))} ms`);
  console.log('\nplans:');
  await printPlans(things);
  const id = (n: number) => (n * 7919) % DOCUMENTS;
  const figures = [
    await measure('ping', 1000, () => database.command({ ping: 1 })),
    await measure('findOne by _id', 2000, (n) => things.findOne({ _id: id(n) as never })),
    await measure('findOne by a unique index', 2000, (n) =>
      things.findOne({ email: `seller${id(n)}@example.com` }),
    ),
    await measure('newest 20 of 100 by a compound index', 500, (n) =>
      things.find({ shop: n % 1000 }, { sort: { createdAt: -1 }, limit: 20 }).toArray(),
    ),
    await measure('insertOne', 1000, (n) => things.insertOne({ email: `new${n}.${Math.random()}`, shop: n })),
    await measure('updateOne by _id', 1000, (n) =>
      things.updateOne({ _id: id(n) as never }, { $inc: { count: 1 } }),
    ),
    await measure('findOneAndUpdate by a unique index', 1000, (n) =>
      things.findOneAndUpdate({ email: `seller${id(n)}@example.com` }, { $push: { holds: n as never } }),
    ),
    await measure('countDocuments of one in 1000 by an index', 500, (n) =>
      things.countDocuments({ shop: n % 1000 }),
    ),
    await measureParallel('5000 findOne by _id at once', 5000, (n) =>
      things.findOne({ _id: id(n) as never }),
    ),
    await measureParallel('5000 updateOne by _id at once', 5000, (n) =>
      things.updateOne({ _id: id(n) as never }, { $inc: { count: 1 } }),
    ),
    await measure('a scan of all documents', 3, () => things.countDocuments({ text: 'y' })),
  ];
  console.log('\nround trips through the driver:');
  console.log(
    `  ${'what'.padEnd(45)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'a second'.padStart(11)}`,
  );
  for (const { name, p50, p99, perSecond } of figures) {
    const middle = Number.isNaN(p50) ? '' : p50.toFixed(3);
    console.log(
      `  ${name.padEnd(45)}${middle.padStart(9)}${p99.toFixed(3).padStart(9)}${Math.round(perSecond).toString().padStart(11)}`,
    );
  }
} finally {
  await database.dropDatabase();
  await client.close();
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
