import { type ProjectView, paths } from '#contract';
import type { Db } from '#shared/data/db.ts';
import {
  contentsOfProjects,
  findImagesInProject,
  type ProjectContents,
} from '#shared/data/generations/projects.ts';
import type { ProjectRow } from '#shared/data/projects.ts';

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

/**
 * What a seller sees of a project.
 * @param cover the generation that the seller chose as its picture, if it is still in it
 */
function presentProject(
  row: ProjectRow,
  contents: ProjectContents | undefined,
  cover: string | null,
): ProjectView {
  const pictureOf = cover ?? contents?.newest;
  return {
    id: row._id,
    name: row.name,
    isDefault: row._id === row.profile,
    images: contents?.images ?? 0,
    coverUrl: pictureOf ? paths.generationImage(pictureOf, 'image-thumbnail') : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
