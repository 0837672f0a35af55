/**
 * `npm run audit`: recomputes every balance from the rows and says what does not add up; ends with 1 if anything.
 * Looks at MONGODB_URL if given, else at the data of `npm start`, whether it runs or not.
 */
import { join } from 'node:path';
import { audit } from '../shared/audit.ts';
import { givenSettings, rootFolder } from '../shared/config.ts';
import { connectData } from '../shared/data/connect.ts';
import { createStorage } from '../shared/storage.ts';
import { startMongoServer } from './local/mongo/server.ts';
import { runningStack } from './start/lock.ts';

const dataFolder = join(rootFolder, '.data');
const given = givenSettings();
const database = await openDatabase();
const data = await connectData(database.url);
try {
  const storageFolder = given.STORAGE_FOLDER ?? join(dataFolder, 'images');
  const findings = await audit(data, createStorage({ storageFolder }));
  for (const { id, problem } of findings) console.log(`${id}: ${problem}`);
  const [profiles, generations] = await Promise.all([
    data.profiles.countDocuments(),
    data.generations.countDocuments(),
  ]);
  console.log(`audit: ${profiles} profiles, ${generations} generations, ${findings.length} findings`);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await data.close();
  await database.close();
}

async function openDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const url = given.MONGODB_URL ?? runningStack(dataFolder)?.mongodbUrl;
  if (url !== undefined) return { url, close: async () => {} };
  const server = await startMongoServer({ port: 0, dataFolder: join(dataFolder, 'mongo') });
  return { url: `${server.url}/packshot`, close: () => server.close() };
}
