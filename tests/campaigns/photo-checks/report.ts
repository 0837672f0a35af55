/** Prints what the checks of the photos gave. */
import type { PhotoWarning } from '#contract';
import type { Half } from '#tests/campaigns/support/halves.ts';

/** A photo that was checked. */
export interface CheckedPhoto {
  set: string;
  /** Null for a drawn one. */
  half: Half | null;
  name: string;
  /** What was done to it. */
  kind: string;
  /** The warning that it deserves. */
  expected: PhotoWarning | null;
  /** Those that it got. */
  warnings: readonly PhotoWarning[];
}

const isFound = ({ expected, warnings }: CheckedPhoto) => expected !== null && warnings.includes(expected);
const isFalse = ({ expected, warnings }: CheckedPhoto) => warnings.some((warning) => warning !== expected);

/** Prints one line for a photo whose warnings are not the expected ones. @returns whether it did */
export function printWrong(photo: CheckedPhoto): boolean {
  const { set, name, kind, expected, warnings } = photo;
  if (!isFalse(photo) && (expected === null || isFound(photo))) return false;
  console.log(
    `${set}: ${name}, ${kind}: expected ${expected ?? 'nothing'}, got ${warnings.join(' and ') || 'nothing'}`,
  );
  return true;
}

/** A Markdown table with the counts for each set, half and kind. */
export function printSummary(photos: readonly CheckedPhoto[]): void {
  console.log(
    '\n| photos | half | what was done | found | another warning |\n| --- | --- | --- | --- | --- |',
  );
  const groups = Map.groupBy(photos, ({ set, half, kind }) => `| ${set} | ${half ?? ''} | ${kind} |`);
  for (const [group, ofGroup] of groups) {
    const found = ofGroup[0]?.expected ? `${ofGroup.filter(isFound).length} of ${ofGroup.length}` : '';
    console.log(`${group} ${found} | ${ofGroup.filter(isFalse).length} of ${ofGroup.length} |`);
  }
}
