import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import {
  countProjects,
  ensureDefaultProject,
  insertProject,
  type ProjectRow,
} from '#shared/data/projects.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Makes a project of a seller. @throws AppError PROJECT_LIMIT */
export async function createProject(db: Db, sellerId: string, name: string): Promise<ProjectRow> {
  await ensureDefaultProject(db, sellerId);
  // The default project does not count.
  if ((await countProjects(db, sellerId)) > limits.projects) throw new AppError('PROJECT_LIMIT');
  return insertProject(db, sellerId, name);
}
