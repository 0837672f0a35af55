/** Says what a campaign found: while it runs, and as tables in Markdown at its end. */
import { quantile } from '#tests/support/statistics.ts';
import type { RunResult } from './run.ts';

/** Everything about a run that violated a rule, for whoever looks for the reason. */
export function describeViolation(result: RunResult, number: number, command: string): string {
  const { seed, faults, actions, violations, restMs } = result;
  return [
    `run ${number} VIOLATES ${violations.length} times, after ${Math.round(restMs)} ms. Again: ${command} --only-run ${seed}`,
    ...faults.map(({ name, beganMs, endedMs }) => `  fault ${name}, ${beganMs}-${endedMs} ms`),
    ...actions.map((action) => `  ${action}`),
    ...violations.map(({ rule, id, problem }) => `  VIOLATED ${rule}: ${id}: ${problem}`),
  ].join('\n');
}

/** The tables of docs/chaos.md. */
export function summarise(results: readonly RunResult[]): string {
  const violating = results.filter(({ violations }) => violations.length > 0);
  const times = results.map(({ restMs }) => restMs);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const endings = new Map<string, number>();
  for (const [state, count] of results.flatMap(({ endings }) => Object.entries(endings))) {
    endings.set(state, (endings.get(state) ?? 0) + count);
  }
  const generations = [...endings.values()].reduce((sum, count) => sum + count, 0);
  const actions = results.reduce((sum, result) => sum + result.actions.length, 0);
  const byState = [...endings].map(([state, count]) => `${count} ${state}`).join(', ');
  return [
    '| Runs | Violations | Until rest p50, p99, max | Length of a run, mean | Actions of sellers | Generations |',
    '| --- | --- | --- | --- | --- | --- |',
    `| ${results.length} | ${violating.length} | ${seconds(quantile(times, 0.5))}, ${seconds(quantile(times, 0.99))}, ${seconds(Math.max(...times))} | ${seconds(results.reduce((sum, { runMs }) => sum + runMs, 0) / results.length)} | ${actions} | ${generations}: ${byState} |`,
    '',
    '| Fault | Runs with it | of which violated |',
    '| --- | --- | --- |',
    ...faultRows(results),
  ].join('\n');
}

function faultRows(results: readonly RunResult[]): string[] {
  const names = [...new Set(results.flatMap(({ faults }) => faults.map(({ name }) => name)))].sort();
  return names.map((name) => {
    const own = results.filter(({ faults }) => faults.some((fault) => fault.name === name));
    const violated = own.filter(({ violations }) => violations.length > 0);
    return `| ${name} | ${own.length} | ${violated.length} |`;
  });
}
