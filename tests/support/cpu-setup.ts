import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
let began: NodeJS.CpuUsage; let t = 0;
beforeAll(() => { began = process.cpuUsage(); t = performance.now(); });
afterAll(() => { const u = process.cpuUsage(began); appendFileSync('/tmp/cpu.txt', `${((u.user+u.system)/1e6).toFixed(2)} ${((performance.now()-t)/1000).toFixed(1)} ${expect.getState().testPath}\n`); });
