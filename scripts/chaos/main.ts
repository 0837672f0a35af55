/** `npm run chaos -- --list`: the faults that a campaign draws from. */
import { faults } from './faults/all.ts';

for (const { name, hop } of faults) console.log(`${name.padEnd(32)} ${hop}`);
