/** The manifests of `deploy/kubernetes/`, rendered by kustomize and validated, for `npm run test:full -- --project kubernetes`. */
import { type ExecFileException, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { readEnvironment } from '#shared/platform/environment.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { temporaryFolder } from './local-stores.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined where kustomize or Python cannot be had. */
    kubernetes: Kubernetes | undefined;
  }
}

export const overlays = ['single', 'production'] as const;

interface Kubernetes {
  rendered: Record<(typeof overlays)[number], RenderedOverlay>;
  /** Python with tests/kubernetes/requirements.txt. */
  python: string;
}

interface RenderedOverlay {
  yaml: string;
  documents: Manifest[];
  /** A line for each field that is not as Kubernetes or KEDA has it. */
  problems: string[];
}

/** A document of a manifest. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes are checked by kubernetes-validate.
  spec?: any;
  data?: Record<string, string>;
}

const kubernetesFolder = join(rootFolder, 'deploy/kubernetes');

/** The oldest version with everything that the manifests use (`lifecycle.preStop.sleep`), and the newest known one. */
const versions = ['1.30.0', '1.37.0'];

const kustomizeModule = 'sigs.k8s.io/kustomize/kustomize/v5@v5.7.1';
const cache = join(readEnvironment().XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'packshot-tools');

/**
 * Global set-up of the project: renders the overlays with kustomize and validates them. What is not installed is put in a
 * cache outside the checkout.
 */
export default async function setup(project: TestProject): Promise<void> {
  let tools: [render: string[], python: string];
  try {
    tools = await Promise.all([findRenderer(), installValidator()]);
  } catch (error) {
    project.provide('kubernetes', undefined);
    console.log(`tests: Kubernetes: SKIPPED, because a tool is missing: ${(error as Error).message}`);
    return;
  }
  const [render, python] = tools;
  const [single, production] = await Promise.all(
    overlays.map(async (overlay) => {
      const yaml = await renderOverlay(render, overlay);
      return { yaml, ...(await validateManifests(python, yaml)) };
    }),
  );
  project.provide('kubernetes', { rendered: { single: single!, production: production! }, python });
}

/** kustomize or kubectl if installed, else kustomize built by Go, once (half a minute). @throws without Go */
async function findRenderer(): Promise<string[]> {
  for (const command of [
    ['kustomize', 'build'],
    ['kubectl', 'kustomize'],
  ]) {
    if (await runs(command[0]!, [...command.slice(1), '--help'])) return command;
  }
  const built = join(cache, 'kustomize');
  if (!existsSync(built)) {
    await run('go', ['install', kustomizeModule], { env: { ...readEnvironment(), GOBIN: cache } });
  }
  return [built, 'build'];
}

/** Makes a virtual environment for `tests/kubernetes/validate.py`, once for each list of its packages. */
async function installValidator(): Promise<string> {
  const list = join(rootFolder, 'tests/kubernetes/requirements.txt');
  const name = `kubernetes-${createHash('sha256').update(readFileSync(list)).digest('hex').slice(0, 12)}`;
  const folder = join(cache, name);
  const python = join(folder, 'bin/python');
  if (!existsSync(python)) {
    // One that was interrupted must not look complete. Its scripts name the folder, but only `python` is used.
    const unfinished = `${folder}-${process.pid}`;
    await mkdir(cache, { recursive: true });
    await run('python3', ['-m', 'venv', unfinished]);
    await run(join(unfinished, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--no-deps', '-r', list]);
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return python;
}

const run = promisify(execFile);

const runs = (command: string, options: string[]) =>
  run(command, options).then(
    () => true,
    () => false,
  );

/**
 * Renders an overlay as it is shipped, with the placeholders as its secrets.
 * @returns YAML
 */
async function renderOverlay(render: readonly string[], overlay: string): Promise<string> {
  const folder = await temporaryFolder('kubernetes');
  try {
    await cp(kubernetesFolder, folder, { recursive: true });
    const given = join(folder, 'overlays', overlay);
    await copyFile(join(given, 'secrets.example.env'), join(given, 'secrets.env'));
    const [command, ...options] = render;
    return (await run(command!, [...options, given], { maxBuffer: 2 ** 24 })).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads rendered manifests and validates them. */
export async function validateManifests(
  python: string,
  yaml: string,
): Promise<Omit<RenderedOverlay, 'yaml'>> {
  const script = join(rootFolder, 'tests/kubernetes/validate.py');
  const running = run(python, [script, ...versions], { maxBuffer: 2 ** 24 });
  running.child.stdin?.end(yaml);
  const { stdout } = await running.catch((error: ExecFileException) => {
    throw new Error(`validate.py: ${error.stderr}`);
  });
  return JSON.parse(stdout);
}
