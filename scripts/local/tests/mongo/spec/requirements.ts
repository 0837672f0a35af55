import type { Document, MongoClient } from 'mongodb';

/** Why a test is skipped; skips are counted by reason. */
export class CannotRun extends Error {}

/** The facts about the server that requirements refer to. */
export interface ServerFacts {
  version: number[];
  topology: 'single' | 'replicaset' | 'sharded';
  parameters: Document;
}

/** Reads the server's version, topology and parameters. */
export async function serverFacts(client: MongoClient): Promise<ServerFacts> {
  const admin = client.db('admin');
  const { version } = await admin.command({ buildInfo: 1 });
  const hello = await admin.command({ hello: 1 });
  const topology = hello.setName ? 'replicaset' : hello.msg === 'isdbgrid' ? 'sharded' : 'single';
  const parameters = await admin.command({ getParameter: '*' }).catch(() => ({}));
  return { version: version.split('.').map(Number), topology, parameters };
}

/**
 * A test with requirements runs when the server fulfils one of them.
 * @throws CannotRun with what the closest requirement lacks
 */
export function assertRunnable(requirements: Document[] | undefined, facts: ServerFacts): void {
  if (!requirements || requirements.length === 0) return;
  const reasons = requirements.map((requirement) => unmet(requirement, facts));
  if (!reasons.includes(undefined)) throw new CannotRun([...new Set(reasons)].join(', or '));
}

function unmet(requirement: Document, facts: ServerFacts): string | undefined {
  const { minServerVersion, maxServerVersion, topologies, serverParameters, auth, serverless, csfle } =
    requirement;
  if (minServerVersion && compare(facts.version, minServerVersion) < 0) return 'needs a newer server';
  if (maxServerVersion && compare(facts.version, maxServerVersion) > 0) return 'is about older servers';
  if (topologies && !topologies.includes(facts.topology)) return `cannot run on a ${facts.topology} server`;
  if (auth) return 'needs authentication';
  if (serverless === 'require') return 'needs a serverless deployment';
  if (csfle) return 'needs client-side encryption';
  for (const [name, value] of Object.entries(serverParameters ?? {})) {
    if (facts.parameters[name] !== value) return `needs the server parameter ${name}`;
  }
  return undefined;
}

/** Compares as many components as the wanted version has, so that a maximum like 4.2.99 covers all of 4.2. */
function compare(version: number[], wanted: string): number {
  for (const [at, place] of wanted.split('.').entries()) {
    const difference = (version[at] ?? 0) - Number(place);
    if (difference !== 0) return difference;
  }
  return 0;
}
