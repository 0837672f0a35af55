import { type DigitalSourceType, type ImageProviderName, isGenerative } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { listVersionMakers } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';

type Version = Pick<GenerationRow, '_id' | 'parent'> & {
  provider: { name?: ImageProviderName | undefined } | null;
};
type Origin = Version & Pick<GenerationRow, 'profile' | 'root'>;

/** How an image was made: it, and what it was changed from. Edits with our editor make nothing new. */
export async function sourceTypeOf(db: Db, row: Origin): Promise<DigitalSourceType> {
  const versions =
    row.parent === undefined ? [] : await listVersionMakers(db, row.profile, row.root ?? row._id);
  return sourceTypeAmong(row, versions);
}

/**
 * The same with what is known of its other versions. A version that is gone counts as made by AI, so that no image by AI is
 * called anything else.
 */
export function sourceTypeAmong(row: Version, versions: readonly Version[]): DigitalSourceType {
  const byId = new Map(versions.map((version) => [version._id, version]));
  // From the image back to the first one.
  const generative: boolean[] = [];
  for (let version: Version | undefined = row; ; ) {
    generative.push(isGenerativeBy(version));
    if (version?.parent === undefined) break;
    version = byId.get(version.parent);
  }
  if (generative.at(-1)) return 'trainedAlgorithmicMedia';
  return generative.includes(true) ? 'compositeWithTrainedAlgorithmicMedia' : 'composite';
}

function isGenerativeBy(version: Version | undefined): boolean {
  const name: ImageProviderName = version?.provider?.name ?? 'openai';
  return isGenerative(name);
}
