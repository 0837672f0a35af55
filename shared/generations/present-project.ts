import { type ProjectView, paths } from '#contract';
import type { ProjectContents } from '#shared/data/generations/projects.ts';
import type { ProjectRow } from '#shared/data/projects.ts';

/**
 * What a seller sees of a project.
 * @param cover the generation that the seller chose as its picture, if it is still in it
 */
export function presentProject(
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
