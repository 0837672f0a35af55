/** Debian's Prometheus, for tests of what it is told to scrape and to evaluate. */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startWatchedProgram } from '#local/parent-watchdog.ts';
import { findFreePort } from './free-port.ts';
import { temporaryFolder } from './local-stores.ts';

const run = promisify(execFile);

const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/opt/homebrew/bin' };

/** A series at one time, as the API shows it. */
export interface Sample {
  metric: Record<string, string>;
  /** `NaN` for a ratio or a quantile of nothing. */
  value: number;
}

/** A rule, as the API shows it. */
interface EvaluatedRule {
  name: string;
  query: string;
  /** `ok`, `err` or `unknown`. */
  health: string;
  annotations: Record<string, string>;
}

export interface Prometheus {
  /** Evaluates an expression now. @throws when it is not valid */
  query(expression: string): Promise<Sample[]>;
  rules(): Promise<EvaluatedRule[]>;
  close(): Promise<void>;
}

/** Whether `prometheus` and `promtool` are installed. */
export async function hasPrometheus(): Promise<boolean> {
  try {
    await Promise.all([run('prometheus', ['--version'], { env }), run('promtool', ['--version'], { env })]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs `promtool`.
 * @param input what it reads from its standard input
 * @throws with its output when it finds a fault
 */
export async function promtool(commands: readonly string[], input = ''): Promise<void> {
  const running = run('promtool', commands, { env });
  running.child.stdin?.end(input);
  try {
    await running;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${commands.join(' ')}: ${stdout}${stderr}`);
  }
}

/** Starts Prometheus on a free port. @param config its configuration, as YAML */
export async function startPrometheus(config: string): Promise<Prometheus> {
  const [port, folder] = await Promise.all([findFreePort(), temporaryFolder('prometheus')]);
  const configFile = join(folder, 'prometheus.yml');
  await writeFile(configFile, config);
  const program = await startWatchedProgram({
    command: [
      'prometheus',
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    env,
    isReady: (line) => line.includes('Server is ready to receive web requests'),
  });

  async function ask<Data>(path: string): Promise<Data> {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const body = (await answer.json()) as { status: string; data: Data; error?: string };
    if (body.status !== 'success') throw new Error(`Prometheus answered ${path}: ${body.error}`);
    return body.data;
  }
  return {
    async query(expression) {
      type Result = { metric: Record<string, string>; value: [time: number, value: string] }[];
      const { result } = await ask<{ result: Result }>(`query?query=${encodeURIComponent(expression)}`);
      return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
    },
    async rules() {
      const { groups } = await ask<{ groups: { rules: EvaluatedRule[] }[] }>('rules');
      return groups.flatMap(({ rules }) => rules);
    },
    async close() {
      await program.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
