import type { OperatorCostLine } from '#contract';

/** Sums of lines. */
export type CostSums = Pick<OperatorCostLine, 'calls' | 'images' | 'amount' | 'estimated' | 'unknown'>;

/** A group of lines with its sums. */
export interface CostGroup extends CostSums {
  name: string;
}

export function sumsOf(lines: readonly OperatorCostLine[]): CostSums {
  const sum = (name: keyof CostSums) => lines.reduce((total, line) => total + line[name], 0);
  return {
    calls: sum('calls'),
    images: sum('images'),
    amount: sum('amount'),
    estimated: sum('estimated'),
    unknown: sum('unknown'),
  };
}

/** Sums up lines by a name, in the order in which the names come. */
export function groupsOf(
  lines: readonly OperatorCostLine[],
  nameOf: (line: OperatorCostLine) => string,
): CostGroup[] {
  const names = [...new Set(lines.map(nameOf))];
  return names.map((name) => ({ name, ...sumsOf(lines.filter((line) => nameOf(line) === name)) }));
}

/** What one image cost, with the calls that gave none; null while there is none, or some calls have no price. */
export function perImage({ amount, images, unknown }: CostSums): number | null {
  return images === 0 || unknown > 0 ? null : Math.ceil(amount / images);
}

/** Micro-dollars with all their decimals, for spreadsheets. */
const exact = (microDollars: number) =>
  `${Math.floor(microDollars / 1_000_000)}.${String(microDollars % 1_000_000).padStart(6, '0')}`;

/** The lines as CSV. A name that a spreadsheet would take for a formula is none here: all are our own settings. */
export function csvOf(lines: readonly OperatorCostLine[]): string {
  const rows = lines.map((line) => [
    line.day,
    line.provider,
    line.model,
    line.size,
    line.quality,
    line.calls,
    line.images,
    exact(line.amount),
    exact(line.estimated),
    line.unknown,
  ]);
  const head = 'day,provider,model,size,quality,calls,images,usd,usd_estimated,calls_of_unknown_cost'.split(
    ',',
  );
  const field = (value: string | number) =>
    /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
