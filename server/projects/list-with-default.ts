import type { Db } from '#shared/data/db.ts';
import { ensureDefaultProject, listProjects, type ProjectRow } from '#shared/data/projects.ts';

/** A seller's projects, the one that was used last first. The default one is made when it is not there yet. */
export async function listProjectsWithDefault(db: Db, sellerId: string): Promise<ProjectRow[]> {
  const rows = await listProjects(db, sellerId);
  if (rows.some(({ _id }) => _id === sellerId)) return rows;
  await ensureDefaultProject(db, sellerId);
  return listProjects(db, sellerId);
}
