/** Many runs on one stack, and a last look at everything that they have made. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { audit } from '#scripts/audit/audit.ts';
import { auditBilling } from '#scripts/audit/audit-billing.ts';
import type { Finding } from '#scripts/audit/finding.ts';
import { openBilling } from '#shared/billing/client.ts';
import { connectDb } from '#shared/data/connect.ts';
import { openQueue } from '#shared/platform/queue.ts';
import { openStorage } from '#shared/storage/open-storage.ts';
import { type ProxiedStack, type QueueKind, startProxiedStack } from '#tests/campaigns/support/stack.ts';
import type { StorageKind } from '#tests/campaigns/support/storage.ts';
import { createRandom } from '#tests/support/random.ts';
import type { Fault } from './fault.ts';
import type { Guard } from './guard.ts';
import { type RunResult, runOnce, type Sources } from './run.ts';
import { soldPack } from './sellers/plan-actions.ts';
import { quick, usualProviderMs } from './short-times.ts';

export interface CampaignOptions {
  /** The seed of each run. */
  seeds: readonly number[];
  faults: readonly Fault[];
  queue: QueueKind;
  storage: StorageKind;
  /** A new folder for data and logs. */
  folder: string;
  /** What to run without. */
  guard: Guard | undefined;
  /** Called when the stack has started, with what it can have of the faults. */
  onStart: (stack: ProxiedStack, possible: readonly Fault[]) => void;
  /** Called after each run. @returns whether to go on */
  onRun: (result: RunResult, number: number) => Promise<boolean>;
}

/**
 * Starts a stack, carries out the runs, and audits everything at the end.
 * @returns the findings of that audit
 */
export async function runCampaign(options: CampaignOptions): Promise<Finding[]> {
  const { seeds, folder, guard } = options;
  const imports = guard && guard.replacements.length > 0 ? [await writePreload(folder, guard)] : [];
  const stack = await startProxiedStack({
    queue: options.queue,
    storage: options.storage,
    folder,
    imports: [join(import.meta.dirname, 'preload/short-times.ts'), ...imports],
    settings: {
      ...quick,
      IMAGE_PACKS: `${soldPack.images}:${soldPack.priceCents / 100}`,
      ...guard?.settings,
    },
  });
  await stack.images.set({ default: { kind: 'slow', ms: usualProviderMs } });
  const { config } = stack;
  const faults = options.faults.filter((fault) => fault.isPossible?.(stack) ?? true);
  const db = await connectDb(config.mongodbUrl);
  const queue = openQueue(config);
  // It reconnects; a command that fails meanwhile is tried again by the next look.
  queue.on('error', () => {});
  const storage = await openStorage(config.storage, db);
  const billing = openBilling(config.billing);
  const sources: Sources = {
    stack,
    db,
    queue,
    storage,
    billing,
    files: stack.storage.files,
    checkedFolders: new Set(),
  };
  try {
    options.onStart(stack, faults);
    for (const [index, seed] of seeds.entries()) {
      const result = await runOnce(sources, { seed, faults, resyncs: guard?.isResync !== true });
      if (!(await options.onRun(result, index + 1))) break;
    }
    return [
      ...(await audit(db, storage, 'contents')),
      ...(await auditBilling(db, billing, config.billing.graceMs)),
    ];
  } finally {
    await queue.close();
    await db.close();
    await stack.close();
  }
}

/** The seeds of a campaign's runs. */
export function seedsOf(seed: number, runs: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: runs }, () => random.below(2 ** 31));
}

/** Writes the module that removes a guard from a program that loads it first. @returns its path */
async function writePreload(folder: string, { replacements }: Guard): Promise<string> {
  const path = join(folder, 'without-guard.mjs');
  const module = pathToFileURL(join(import.meta.dirname, 'replace-source.ts')).href;
  await writeFile(
    path,
    `import { replaceSources } from ${JSON.stringify(module)};\nreplaceSources(${JSON.stringify(replacements)});\n`,
  );
  return path;
}
