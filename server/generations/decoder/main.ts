/** A decoder process: unpacks what the server that started it names, and ends with it. */
import { writeFileSync } from 'node:fs';
import { type Allowance, type JobMessage, type Outcome, type OutcomeMessage, tooComplex } from './jobs.ts';
import { makeThumbnail, normalise, readHeader } from './normalise.ts';

const kill = () => process.kill(process.pid, 'SIGKILL');

// However the server ended. A regular exit would wait for the photo that is being unpacked.
process.once('disconnect', kill);
// Ctrl-C in a terminal reaches this process too, but the server answers what is under way first.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

try {
  // When the machine runs out of memory, this process is to be ended and not the server. Linux alone knows this file.
  writeFileSync('/proc/self/oom_score_adj', '900');
} catch {
  // Then the machine chooses.
}

process.on('message', async (message: JobMessage) => {
  process.send?.({ id: message.id, outcome: await outcomeOf(message) } satisfies OutcomeMessage);
});

async function outcomeOf(message: JobMessage): Promise<Outcome> {
  switch (message.name) {
    case 'header':
      return readHeader(message.given);
    case 'thumbnail':
      return makeThumbnail(message.given);
    case 'normalise': {
      const stop = watch(message.given, () => {
        process.send?.({ id: message.id, outcome: tooComplex } satisfies OutcomeMessage, kill);
      });
      return normalise(message.given).finally(stop);
    }
  }
}

/** How often it is looked at what a photo takes, in ms. */
const lookMs = 25;
/** Memory that a photo may take beside its weight, in bytes: what is kept of earlier ones is given back at times. */
const spareBytes = 64 * 1024 * 1024;

/** Calls back when this process takes far more than a photo was expected to. @returns what ends the watch */
function watch({ weight, processorSeconds }: Allowance, exceeded: () => void): () => void {
  const most = process.memoryUsage.rss() + weight * 1.25 + spareBytes;
  const before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (process.memoryUsage.rss() < most && (user + system) / 1e6 < processorSeconds) return;
    clearInterval(timer);
    exceeded();
  }, lookMs);
  return () => clearInterval(timer);
}
