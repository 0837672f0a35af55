import { z } from 'zod';
import {
  type LookView,
  type ProjectView,
  type V1Look,
  type V1Project,
  v1CreateProjectSchema,
  v1EditRequestSchema,
  v1GenerationSchema,
  v1LibraryPaths,
  v1LookListSchema,
  v1Paths,
  v1ProjectListSchema,
  v1ProjectSchema,
  v1UpdateRequestSchema,
} from '#contract';
import { refuseIdempotencyKey, takesNoKey } from '#server/generations/idempotency.ts';
import type { App } from '#server/http/app-type.ts';
import { versionHeaders } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { editImage } from '#server/images/edit-image.ts';
import { changeInLibrary, moveToTrash, restoreFromTrash } from '#server/library/actions.ts';
import { presentLook } from '#server/looks/look.ts';
import { createProject } from '#server/projects/create-project.ts';
import { listProjectsWithDefault } from '#server/projects/list-with-default.ts';
import { projectViews } from '#server/projects/views.ts';
import { listLooks } from '#shared/data/looks.ts';
import { generationView } from '#shared/views/generation.ts';
import { presentV1 } from '#shared/views/v1.ts';
import { requestOfLook } from './asked.ts';
import type { V1Parts } from './parts.ts';

/** Version 1 of the API: the library, projects and looks (docs/decisions/0135-the-api-for-programs.md). */
export async function v1LibraryRoutes(app: App, { context }: V1Parts) {
  const { db } = context;
  const params = z.object({ id: z.string() });
  const common = { tags: ['api'], requestHeaders: versionHeaders };
  const toRead = app.requireKey('generations:read');
  const toWrite = app.requireKey('library:write');

  app.patch(
    v1Paths.generation(':id'),
    {
      onRequest: toWrite,
      schema: {
        ...common,
        operationId: 'generations.update',
        summary: 'Rename an image, or mark it as a favourite',
        description: 'What is left out stays as it is; an empty text removes it.',
        params,
        body: v1UpdateRequestSchema,
        response: { 200: v1GenerationSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async ({ caller, params: { id }, body }) =>
      presentV1(await generationView(db, await changeInLibrary(context, caller.sellerId, id, body))),
  );

  app.put(
    v1Paths.edits(':id'),
    {
      onRequest: toWrite,
      schema: {
        ...common,
        operationId: 'generations.edit',
        summary: 'Turn, crop and correct a finished image',
        description:
          'Stores a recipe: turn, straighten, crop, colours and a pure white background, in this order. No image is used, and ' +
          'the one that was made is kept: `image` and exports are the edited one from then on, and the recipe that changes ' +
          'nothing, `{}`, removes the edits. With `basedOn`, the `edits.version` that you have seen (null for none), nothing ' +
          'is replaced that was saved since: that is 409 `EDIT_CONFLICT`. A repeated request changes nothing. To have ' +
          'something made another way, in words, ask for a change.',
        params,
        body: v1EditRequestSchema,
        response: { 200: v1GenerationSchema, ...errorReplies(400, 401, 403, 404, 409, 429) },
      },
    },
    async ({ caller, params: { id }, body }) =>
      presentV1(await generationView(db, await editImage(context, caller.sellerId, id, body))),
  );

  app.delete(
    v1Paths.generation(':id'),
    {
      onRequest: toWrite,
      schema: {
        ...common,
        operationId: 'generations.delete',
        summary: 'Move an image that has ended to the trash',
        description:
          'It is gone from all lists and can be restored while it is in the trash; then it is removed for ever. It stays ' +
          'counted: deleting gives no image back.',
        params,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 404, 409, 429) },
      },
    },
    async ({ caller, params: { id } }, reply) => {
      await moveToTrash(context, caller.sellerId, id);
      return reply.status(204).send(null);
    },
  );

  app.post(
    v1LibraryPaths.restore(':id'),
    {
      onRequest: toWrite,
      schema: {
        ...common,
        operationId: 'generations.restore',
        summary: 'Restore an image from the trash',
        description: 'One that is not deleted stays as it is.',
        params,
        response: { 200: v1GenerationSchema, ...errorReplies(400, 401, 403, 404, 409, 429) },
      },
    },
    async ({ caller, params: { id } }) =>
      presentV1(await generationView(db, await restoreFromTrash(context, caller.sellerId, id))),
  );

  app.get(
    v1LibraryPaths.projects,
    {
      onRequest: toRead,
      schema: {
        ...common,
        operationId: 'projects.list',
        summary: 'All projects, the one that was used last first',
        response: { 200: v1ProjectListSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async ({ caller: { sellerId } }) => {
      const views = await projectViews(db, sellerId, await listProjectsWithDefault(db, sellerId));
      return { projects: views.map(presentProject) };
    },
  );

  app.post(
    v1LibraryPaths.projects,
    {
      onRequest: [toWrite, refuseIdempotencyKey],
      schema: {
        ...common,
        operationId: 'projects.create',
        summary: 'Make a project',
        description: takesNoKey,
        body: v1CreateProjectSchema,
        response: { 201: v1ProjectSchema, ...errorReplies(400, 401, 403, 409, 429) },
      },
    },
    async ({ caller: { sellerId }, body }, reply) => {
      const row = await createProject(db, sellerId, body.name);
      const [view] = await projectViews(db, sellerId, [row]);
      return reply.status(201).send(presentProject(view!));
    },
  );

  app.get(
    v1LibraryPaths.looks,
    {
      onRequest: toRead,
      schema: {
        ...common,
        operationId: 'looks.list',
        summary: 'All saved looks, the one that was changed last first',
        description:
          '`request` of a look and `photos` are together a request for images, and so are its `id` as `lookId` and `photos`.',
        response: { 200: v1LookListSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async ({ caller: { sellerId } }) => ({
      looks: (await listLooks(db, sellerId)).map((row) => presentV1Look(presentLook(row))),
    }),
  );
}

const presentProject = ({ id, name, isDefault, images, createdAt }: ProjectView): V1Project => ({
  id,
  name,
  isDefault,
  images,
  createdAt,
});

const presentV1Look = (look: LookView): V1Look => ({
  id: look.id,
  name: look.name,
  request: requestOfLook(look),
  exportPresets: look.exportPresets,
});
