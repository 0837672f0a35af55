/** Prints what the check of the pairs gave. */
import { quantile } from '#tests/support/statistics.ts';
import type { CheckReport } from './check-process.ts';
import { isSameProduct, type Pair, type PairKind, pairKinds, rightLevels } from './pairs.ts';

/** A pair that was checked. */
export interface CheckedPair {
  name: string;
  kind: PairKind;
  report: CheckReport;
}

const levels = ['high', 'medium', 'low', 'unknown', 'none'] as const;
type Level = (typeof levels)[number];
const levelOf = ({ level }: CheckReport): Level => level ?? 'none';

/** Kinds whose change is so small that it is enough if the image is not called a high match. */
const subtleKinds: readonly PairKind[] = ['text', 'stretched 5 %'];

const isRight = ({ kind, report }: CheckedPair) =>
  (rightLevels[kind] as readonly Level[]).includes(levelOf(report));
const isRightEnough = (pair: CheckedPair) =>
  isRight(pair) || (subtleKinds.includes(pair.kind) && levelOf(pair.report) !== 'high');
const percent = (part: number, all: number) => `${((part / all) * 100).toFixed(1)} %`;

/** One line: what the pair is, how it was judged, and by which values. */
export function printPair({ name, kind }: Pair, report: CheckReport): void {
  const { measured, cpuMs, first } = report;
  const values = [
    isRight({ name, kind, report }) ? 'right' : 'WRONG',
    `${kind}: ${name}`.padEnd(58),
    levelOf(report).padEnd(7),
    JSON.stringify(measured),
  ];
  console.log(`${values.join('  ').trimEnd()}  ${cpuMs.toFixed(0)} ms${first ? ' with a new photo' : ''}`);
}

/** The confusion matrix by kind as a Markdown table, the share that is right, processor time and memory. */
export function printSummary(pairs: readonly CheckedPair[]): void {
  console.log(`\n| pairs | ${levels.join(' | ')} | right |\n|${' --- |'.repeat(levels.length + 2)}`);
  for (const kind of pairKinds) {
    const ofKind = pairs.filter((pair) => pair.kind === kind);
    if (ofKind.length === 0) continue;
    const counts = levels.map((level) => ofKind.filter(({ report }) => levelOf(report) === level).length);
    const right = ofKind.filter(isRight).length;
    console.log(
      `| ${kind} | ${counts.join(' | ')} | ${right} of ${ofKind.length}, ${percent(right, ofKind.length)} |`,
    );
  }
  const count = (isCounted: (pair: CheckedPair) => boolean) => pairs.filter(isCounted).length;
  const wrongPairs = count(({ kind }) => !isSameProduct(kind));
  const missed = count(({ kind, report }) => !isSameProduct(kind) && levelOf(report) === 'high');
  console.log(`\nright: ${count(isRight)} of ${pairs.length} (${percent(count(isRight), pairs.length)})`);
  const enough = count(isRightEnough);
  console.log(
    `right if ${subtleKinds.join(' and ')} need only not be high: ${enough} of ${pairs.length} (${percent(enough, pairs.length)})`,
  );
  console.log(`another product called high: ${missed} of ${wrongPairs} (${percent(missed, wrongPairs)})`);
  printTimes('all', pairs);
  printTimes(
    'with a new photo',
    pairs.filter(({ report }) => report.first),
  );
  printTimes(
    'with a photo whose product is known',
    pairs.filter(({ report }) => !report.first),
  );
  const memory = pairs.map(({ report }) => report.memoryMb);
  console.log(`memory of the process: at most ${Math.max(...memory).toFixed(0)} MB`);
}

function printTimes(what: string, pairs: readonly CheckedPair[]): void {
  if (pairs.length === 0) return;
  const times = pairs.map(({ report }) => report.cpuMs);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const figures = `mean ${mean.toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms`;
  console.log(`processor time of a comparison, ${what}: ${figures} (${times.length})`);
}
