import { z } from 'zod';
import {
  changeProjectSchema,
  createProjectSchema,
  deleteProjectSchema,
  movedImagesSchema,
  moveImagesSchema,
  paths,
  projectListSchema,
  projectViewSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { hasUnendedIn, moveGenerations, projectsOfImages } from '#shared/data/generations/projects.ts';
import {
  beginProjectDeletion,
  changeProject,
  ensureDefaultProject,
  findProject,
  type ProjectRow,
  touchProject,
} from '#shared/data/projects.ts';
import { AppError } from '#shared/platform/errors.ts';
import { emptyProject } from '#shared/projects/empty-project.ts';
import { announce } from '#shared/views/announce.ts';
import { createProject } from './create-project.ts';
import { listProjectsWithDefault } from './list-with-default.ts';
import { projectViews } from './views.ts';

/** A seller's projects (docs/decisions/0057-projects.md). */
export async function projectRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const params = z.object({ id: z.string() });
  const onRequest = app.requireSession;

  /** @throws AppError NOT_FOUND unless it is a project of the seller */
  async function projectOf(sellerId: string, id: string): Promise<ProjectRow> {
    if (id === sellerId) await ensureDefaultProject(db, sellerId);
    const row = await findProject(db, sellerId, id);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }
  const viewOf = async (row: ProjectRow) => (await projectViews(db, row.profile, [row]))[0]!;

  app.get(
    paths.projects,
    {
      onRequest,
      config: { revalidated: true },
      schema: {
        operationId: 'listProjects',
        tags: ['projects'],
        summary: "The seller's projects, the one that was used last first",
        response: { 200: projectListSchema, ...errorReplies(401) },
      },
    },
    async ({ caller: { sellerId } }) => {
      const rows = await listProjectsWithDefault(db, sellerId);
      return { projects: await projectViews(db, sellerId, rows) };
    },
  );

  app.post(
    paths.projects,
    {
      onRequest,
      schema: {
        operationId: 'createProject',
        tags: ['projects'],
        summary: 'Create a project',
        body: createProjectSchema,
        response: { 201: projectViewSchema, ...errorReplies(400, 401, 409) },
      },
    },
    async ({ caller: { sellerId }, body }, reply) => {
      return reply.status(201).send(await viewOf(await createProject(db, sellerId, body.name)));
    },
  );

  app.get(
    paths.project(':id'),
    {
      onRequest,
      config: { revalidated: true },
      schema: {
        operationId: 'getProject',
        tags: ['projects'],
        summary: 'One project',
        params,
        response: { 200: projectViewSchema, ...errorReplies(401, 404) },
      },
    },
    async ({ caller: { sellerId }, params: { id } }) => viewOf(await projectOf(sellerId, id)),
  );

  app.patch(
    paths.project(':id'),
    {
      onRequest,
      schema: {
        operationId: 'changeProject',
        tags: ['projects'],
        summary: 'Rename a project, or choose its picture',
        params,
        body: changeProjectSchema,
        response: { 200: projectViewSchema, ...errorReplies(400, 401, 404) },
      },
    },
    async ({ caller: { sellerId }, params: { id }, body }) => {
      await projectOf(sellerId, id);
      const { coverId } = body;
      if (coverId && (await projectsOfImages(db, sellerId, [coverId])).get(coverId) !== id) {
        throw new AppError('VALIDATION', {
          message: 'The picture must be a finished image in the project.',
          field: 'coverId',
        });
      }
      const row = await changeProject(db, sellerId, id, body);
      if (!row) throw new AppError('NOT_FOUND');
      return viewOf(row);
    },
  );

  app.delete(
    paths.project(':id'),
    {
      onRequest,
      schema: {
        operationId: 'deleteProject',
        tags: ['projects'],
        summary: 'Delete a project',
        description:
          'With `images=move` its images move to the default project, with `images=delete` they are deleted with it.',
        params,
        querystring: deleteProjectSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 404, 409) },
      },
    },
    async ({ caller: { sellerId }, params: { id }, query: { images } }, reply) => {
      await projectOf(sellerId, id);
      if (id === sellerId) throw new AppError('PROJECT_NOT_DELETABLE');
      if (images === 'delete' && (await hasUnendedIn(db, sellerId, id))) throw new AppError('PROJECT_IN_USE');
      const row = await beginProjectDeletion(db, sellerId, id, images);
      if (row) await emptyProject(db, row);
      return reply.status(204).send(null);
    },
  );

  app.post(
    paths.projectImages(':id'),
    {
      onRequest,
      schema: {
        operationId: 'moveImages',
        tags: ['projects'],
        summary: 'Move images to a project',
        description: 'Images that do not exist, or are in it already, are left out.',
        params,
        body: moveImagesSchema,
        response: { 200: movedImagesSchema, ...errorReplies(400, 401, 404) },
      },
    },
    async ({ caller: { sellerId }, params: { id }, body }) => {
      await projectOf(sellerId, id);
      const rows = await moveGenerations(db, sellerId, body.ids, id);
      if (rows.length > 0) await touchProject(db, sellerId, id);
      for (const generation of rows) await announce(context, sellerId, { generation });
      return { moved: rows.length };
    },
  );
}
