import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromiumFlags } from '#scripts/chromium.ts';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { median } from '#tests/support/statistics.ts';

/** Medians of several runs. */
export interface PageResult {
  /** By category, of 100. */
  scores: Record<string, number>;
  timings: { lcpMs: number; tbtMs: number; cls: number };
  /** What the last run found wrong, except about speed. */
  problems: string[];
}

/** npx fetches it when somebody measures: with what it needs it is 150 MB. */
const lighthouse = 'lighthouse@13.5.0';

/** What is read of Lighthouse's report. */
interface Report {
  categories: Record<
    string,
    { id: string; score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
}

/**
 * Measures a page as Lighthouse does by default: a phone with a slow connection, simulated.
 * @param chromePath the browser's program
 */
export async function measurePage(url: string, chromePath: string, runs: number): Promise<PageResult> {
  const results: Report[] = [];
  for (let run = 0; run < runs; run += 1) results.push(await measureOnce(url, chromePath));
  const audit = (name: string) =>
    median(results.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
  const scoreOf = (name: string) =>
    Math.round(100 * median(results.map(({ categories }) => categories[name]?.score ?? 0)));
  return {
    scores: Object.fromEntries(Object.keys(results[0]!.categories).map((name) => [name, scoreOf(name)])),
    timings: {
      lcpMs: audit('largest-contentful-paint'),
      tbtMs: audit('total-blocking-time'),
      cls: audit('cumulative-layout-shift'),
    },
    problems: problemsOf(results.at(-1)!),
  };
}

/** @throws Error when the page cannot be measured, or Lighthouse not fetched */
async function measureOnce(url: string, chromePath: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      '--yes',
      lighthouse,
      url,
      '--output=json',
      '--quiet',
      '--only-categories=performance,accessibility,best-practices,seo',
      `--chrome-flags=${['--headless=new', ...chromiumFlags].join(' ')}`,
    ],
    { env: { ...childEnvironment({}), CHROME_PATH: chromePath }, maxBuffer: 2 ** 28 },
  );
  return JSON.parse(stdout) as Report;
}

/** The audits that cost points, with what they found. */
function problemsOf({ categories, audits }: Report): string[] {
  const refs = Object.values(categories).flatMap(({ id, auditRefs }) =>
    id === 'performance' ? [] : auditRefs.filter(({ weight }) => weight > 0),
  );
  return refs.flatMap(({ id }) => {
    const found = audits[id];
    return (found?.score ?? 1) < 0.9 ? [`${id}: ${found!.title}`] : [];
  });
}
