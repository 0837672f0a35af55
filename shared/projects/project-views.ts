import type { ProjectView } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { contentsOfProjects, findImagesInProject } from '#shared/data/generations/projects.ts';
import type { ProjectRow } from '#shared/data/projects.ts';
import { presentProject } from '#shared/generations/present-project.ts';

/** What a seller sees of their projects. @param rows projects of one seller */
export async function projectViews(
  db: Db,
  sellerId: string,
  rows: readonly ProjectRow[],
): Promise<ProjectView[]> {
  const contents = await contentsOfProjects(db, sellerId);
  return Promise.all(
    rows.map(async (row) => {
      // The chosen image may have been deleted, or moved to another project, since.
      const chosen =
        row.cover !== null && (await findImagesInProject(db, sellerId, row._id, [row.cover])).has(row.cover);
      return presentProject(row, contents.get(row._id), chosen ? row.cover : null);
    }),
  );
}
