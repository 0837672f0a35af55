import { launch } from 'chrome-launcher';
import lighthouse, { type Result } from 'lighthouse';
import { chromiumFlags } from '#scripts/chromium.ts';

/** Medians of several runs. */
export interface PageResult {
  /** By category, of 100. */
  scores: Record<string, number>;
  timings: { lcpMs: number; tbtMs: number; cls: number };
  /** What the last run found wrong, except about speed. */
  problems: string[];
}

const chromeFlags = ['--headless=new', ...chromiumFlags];

const onlyCategories = ['performance', 'accessibility', 'best-practices', 'seo'];

/**
 * Measures a page as Lighthouse does by default: a phone with a slow connection, simulated.
 * @param chromePath the browser's program
 */
export async function measurePage(url: string, chromePath: string, runs: number): Promise<PageResult> {
  const results: Result[] = [];
  for (let run = 0; run < runs; run += 1) {
    const chrome = await launch({ chromePath, chromeFlags, logLevel: 'error' });
    try {
      const measured = await lighthouse(url, { port: chrome.port, logLevel: 'error', onlyCategories });
      if (!measured) throw new Error(`Lighthouse measured nothing at ${url}`);
      results.push(measured.lhr);
    } finally {
      chrome.kill();
    }
  }
  const audit = (name: string) =>
    median(results.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
  const names = Object.keys(results[0]!.categories);
  const scoreOf = (name: string) =>
    Math.round(100 * median(results.map(({ categories }) => categories[name]?.score ?? 0)));
  return {
    scores: Object.fromEntries(names.map((name) => [name, scoreOf(name)])),
    timings: {
      lcpMs: audit('largest-contentful-paint'),
      tbtMs: audit('total-blocking-time'),
      cls: audit('cumulative-layout-shift'),
    },
    problems: problemsOf(results.at(-1)!),
  };
}

/** The audits that cost points, with what they found. */
function problemsOf({ categories, audits }: Result): string[] {
  const refs = Object.values(categories).flatMap(({ id, auditRefs }) =>
    id === 'performance' ? [] : auditRefs.filter(({ weight }) => weight > 0),
  );
  return refs.flatMap(({ id }) => {
    const found = audits[id];
    return found?.score === 0 || (found?.score ?? 1) < 0.9 ? [`${id}: ${found!.title}`] : [];
  });
}

function median(values: number[]): number {
  return values.sort((first, second) => first - second)[Math.floor(values.length / 2)]!;
}
