/** One fault of each family: a process that is killed or stops, a connection that is cut or silent, a provider that fails. */
import type { Fault } from '../fault.ts';

const killWorker: Fault = {
  name: 'kill-worker',
  hop: 'worker',
  async begin({ programs }, random) {
    const worker = programs[random.pick(['worker-1', 'worker-2'] as const)];
    await worker.kill();
    return () => worker.start();
  },
};

const pauseWorker: Fault = {
  name: 'pause-worker',
  hop: 'worker',
  async begin({ programs }, random) {
    const worker = programs[random.pick(['worker-1', 'worker-2'] as const)];
    worker.pause();
    return async () => worker.resume();
  },
};

const cutMongo: Fault = {
  name: 'cut-mongo',
  hop: 'server, worker → MongoDB',
  async begin({ hops }, random) {
    const hop = hops[`${random.pick(['server-1', 'server-2', 'worker-1', 'worker-2'] as const)}→mongo`];
    hop.cut();
    return async () => hop.restore();
  },
};

const silentQueue: Fault = {
  name: 'silent-queue',
  hop: 'server, worker → queue',
  async begin({ hops }, random) {
    const hop = hops[`${random.pick(['server-1', 'server-2', 'worker-1', 'worker-2'] as const)}→queue`];
    hop.blackHole(random.pick(['both', 'to-target', 'to-client'] as const));
    return async () => hop.restore();
  },
};

export const basicFaults: readonly Fault[] = [killWorker, pauseWorker, cutMongo, silentQueue];
