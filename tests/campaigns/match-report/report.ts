/** Prints what the check of the pairs gave. */
import { quantile } from '#tests/support/statistics.ts';
import type { CheckReport } from './check-process.ts';
import { expectedLevels, type Pair, type PairKind } from './pairs.ts';

/** A pair that was checked. */
export interface CheckedPair {
  name: string;
  kind: PairKind;
  report: CheckReport;
}

const levels = ['high', 'medium', 'low', 'none'] as const;
const levelOf = ({ level }: CheckReport) => level ?? 'none';
const isRight = ({ kind, report }: CheckedPair) => report.level === expectedLevels[kind];
const percent = (part: number, all: number) => `${((part / all) * 100).toFixed(1)} %`;

/** One line: what the pair is, how it was judged, and by which values. */
export function printPair({ name, kind }: Pair, report: CheckReport): void {
  const { measured, cpuMs, first } = report;
  const found = measured?.found;
  const right = isRight({ name, kind, report });
  const values = [
    right ? 'right' : 'WRONG',
    `${kind}: ${name}`.padEnd(58),
    `expected ${expectedLevels[kind]}, judged ${levelOf(report)}`.padEnd(30),
    `features ${measured?.inliers ?? 0} of ${measured?.features ?? 0}`.padEnd(21),
    found ? `cells ${found.differing} of ${found.textured}, colour ${found.colourDifference.toFixed(1)}` : '',
  ];
  console.log(`${values.join('  ').trimEnd()}  ${cpuMs.toFixed(0)} ms${first ? ' with a new photo' : ''}`);
}

/** The confusion matrix by kind as a Markdown table, the share that is right, processor time and memory. */
export function printSummary(pairs: readonly CheckedPair[]): void {
  console.log(`\n| pairs | expected | ${levels.join(' | ')} | right |\n|${' --- |'.repeat(7)}`);
  for (const [kind, expected] of Object.entries(expectedLevels)) {
    const ofKind = pairs.filter((pair) => pair.kind === kind);
    const counts = levels.map((level) => ofKind.filter(({ report }) => levelOf(report) === level).length);
    const right = ofKind.filter(isRight).length;
    console.log(`| ${kind} | ${expected} | ${counts.join(' | ')} | ${right} of ${ofKind.length} |`);
  }
  const right = pairs.filter(isRight).length;
  const opposite = pairs.filter((pair) => !isRight(pair) && ['high', 'low'].includes(levelOf(pair.report)));
  console.log(`\nright: ${right} of ${pairs.length} (${percent(right, pairs.length)})`);
  console.log(`high instead of low or low instead of high: ${opposite.length}`);
  printTimes('with a new photo', pairs, true);
  printTimes('with a photo that was compared before', pairs, false);
  const memory = pairs.map(({ report }) => report.memoryMb);
  console.log(`memory of the process: at most ${Math.max(...memory).toFixed(0)} MB`);
}

function printTimes(what: string, pairs: readonly CheckedPair[], first: boolean): void {
  const times = pairs.filter(({ report }) => report.first === first).map(({ report }) => report.cpuMs);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const figures = `mean ${mean.toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`;
  console.log(`processor time of a check ${what}: ${figures} (${times.length} checks)`);
}
