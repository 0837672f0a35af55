import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { BSON, type Document, MongoClient } from 'mongodb';
import { startMongoServer } from '../../../mongo/server.ts';
import { driverDifference } from './driver.ts';
import { serverFacts } from './requirements.ts';
import { runTest } from './runner.ts';

const USAGE = 'main.ts FOLDER [--url mongodb://HOST:PORT] [--only TEXT] [--verbose]';
const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, only: { type: 'string' }, verbose: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) {
  console.error(USAGE);
  process.exit(2);
}

const server = values.url ? undefined : await startMongoServer({ port: 0 });
const url = values.url ?? server!.url;
const client = await new MongoClient(url).connect();
const facts = await serverFacts(client);
console.log(`MongoDB ${facts.version.slice(0, 3).join('.')}, ${facts.topology}`);

let passed = 0;
const failed: string[] = [];
const byDriver = new Map<string, number>();
const skipped = new Map<string, number>();
for (const path of specFiles(folder)) {
  // Relaxed: numbers become the driver's numbers, as a program would write them.
  const file = BSON.EJSON.parse(readFileSync(path, 'utf8'), { relaxed: true }) as Document;
  for (const test of file.tests) {
    const name = `${relative(folder, path)}: ${test.description}`;
    if (values.only && !name.includes(values.only)) continue;
    const outcome = await runTest(file, test, url, client, facts);
    const difference = driverDifference(path, test.description);
    if (values.verbose) console.log(`${outcome.kind} ${name}`);
    if (outcome.kind === 'passed') passed++;
    else if (outcome.kind === 'skipped') count(skipped, outcome.reason);
    else if (difference) count(byDriver, difference);
    else failed.push(`${name}\n    ${outcome.reason}`);
  }
}
await client.close();
await server?.close();

for (const line of failed) console.log(`failed ${line}`);
for (const [reason, times] of byDriver) console.log(`failed by the driver ${times}: ${reason}`);
for (const [reason, times] of skipped) console.log(`skipped ${times}: ${reason}`);
const driverFailures = total(byDriver);
const ran = passed + failed.length + driverFailures;
const share = ran === 0 ? 0 : (100 * passed) / ran;
console.log(
  `${passed} passed, ${failed.length + driverFailures} failed (${driverFailures} by the driver): ` +
    `${share.toFixed(1)} % of ${ran} run; ${total(skipped)} skipped`,
);
process.exitCode = failed.length === 0 && ran > 0 ? 0 : 1;

function count(counts: Map<string, number>, reason: string): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
}

function total(counts: Map<string, number>): number {
  return [...counts.values()].reduce((sum, times) => sum + times, 0);
}

/** All JSON files under a folder, sorted by name. */
function specFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(root, name));
}
