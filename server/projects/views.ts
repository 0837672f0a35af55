import { type ProjectView, paths } from '#contract';
import type { Db } from '#shared/data/db.ts';
import {
  contentsOfProjects,
  type ProjectContents,
  projectsOfImages,
} from '#shared/data/generations/projects.ts';
import type { ProjectRow } from '#shared/data/projects.ts';

/** What a seller sees of their projects. @param rows projects of one seller */
export async function projectViews(
  db: Db,
  sellerId: string,
  rows: readonly ProjectRow[],
): Promise<ProjectView[]> {
  const covers = rows.flatMap(({ cover }) => cover ?? []);
  const [contents, projectOf] = await Promise.all([
    contentsOfProjects(db, sellerId),
    covers.length > 0 ? projectsOfImages(db, sellerId, covers) : new Map<string, string>(),
  ]);
  return rows.map((row) => {
    // The chosen image may have been deleted, or moved to another project, since.
    const isThere = row.cover !== null && projectOf.get(row.cover) === row._id;
    return presentProject(row, contents.get(row._id), isThere ? row.cover : null);
  });
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
