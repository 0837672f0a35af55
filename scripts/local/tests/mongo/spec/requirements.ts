import type { Document, MongoClient } from 'mongodb';

/** Why a test is skipped; the reasons are counted. */
export class CannotRun extends Error {}

/** What the server under test is, as tests ask for it. */
export interface ServerFacts {
  version: number[];
  topology: 'single' | 'replicaset' | 'sharded';
  parameters: Document;
}

/** Asks the server for its version, topology and parameters. */
export async function serverFacts(client: MongoClient): Promise<ServerFacts> {
  const admin = client.db('admin');
  const { version } = await admin.command({ buildInfo: 1 });
  const hello = await admin.command({ hello: 1 });
  const topology = hello.setName ? 'replicaset' : hello.msg === 'isdbgrid' ? 'sharded' : 'single';
  const parameters = await admin.command({ getParameter: '*' }).catch(() => ({}));
  return { version: version.split('.').map(Number), topology, parameters };
}

/**
 * A test with requirements runs when one of them fits the server.
 * @throws CannotRun with what the nearest requirement lacks.
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

/** Compares as many places as the wanted version names; a maximum like 4.2.99 so covers all of 4.2. */
function compare(version: number[], wanted: string): number {
  for (const [at, place] of wanted.split('.').entries()) {
    const difference = (version[at] ?? 0) - Number(place);
    if (difference !== 0) return difference;
  }
  return 0;
}
