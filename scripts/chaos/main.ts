/** `npm run chaos -- --list`: the faults that a campaign draws from. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faults } from './faults/all.ts';
import { startChaosStack } from './stack.ts';

const { values } = parseArgs({
  options: { list: { type: 'boolean', default: false }, queue: { type: 'string', default: 'postgres' } },
});
if (values.list) {
  for (const { name, hop } of faults) console.log(`${name.padEnd(32)} ${hop}`);
} else {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-chaos-'));
  console.time('start');
  const stack = await startChaosStack({ queue: values.queue as 'redis', folder });
  console.timeEnd('start');
  for (const each of [...Object.values(stack.programs), ...Object.values(stack.services)]) {
    console.time(each.name);
    await each.kill();
    console.log(each.isRunning);
    await each.start();
    console.timeEnd(each.name);
    each.pause();
    each.resume();
  }
  await stack.close();
  console.log(folder);
}
