import { audit } from '../shared/audit.ts';
import { loadConfig } from '../shared/config.ts';
import { connectData } from '../shared/data/connect.ts';
import { createStorage } from '../shared/storage.ts';

/** `npm run audit`: recomputes every balance and says what does not add up. Takes the stores from the settings. */
const config = loadConfig();
const data = await connectData(config.mongodbUrl);
try {
  const findings = await audit(data, createStorage(config));
  for (const { id, problem } of findings) console.log(`${id}: ${problem}`);
  const [profiles, generations] = await Promise.all([
    data.profiles.countDocuments(),
    data.generations.countDocuments(),
  ]);
  console.log(`audit: ${profiles} profiles, ${generations} generations, ${findings.length} findings`);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await data.close();
}
