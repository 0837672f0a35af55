import { z } from 'zod';
import {
  type OperatorGeneration,
  operatorGenerationListSchema,
  operatorGenerationQuerySchema,
  operatorGenerationViewSchema,
  operatorPaths,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findUserByEmail } from '#shared/data/accounts/users.ts';
import { findGenerationsById } from '#shared/data/generations/find.ts';
import { type FoundGeneration, searchGenerations } from '#shared/data/generations/search.ts';
import { findGenerationsByCall } from '#shared/data/operator/attempt-records.ts';
import { findAddresses } from '#shared/data/profiles/find.ts';
import { generationForOperator } from './generation-life.ts';
import { presentFoundGeneration } from './present-generation.ts';

/** Generations of all sellers: search, and the whole life of one. */
export async function operatorGenerationRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  async function present(found: readonly FoundGeneration[]): Promise<OperatorGeneration[]> {
    const addresses = await findAddresses(
      db,
      found.map(({ profile }) => profile),
    );
    return found.map((row) => presentFoundGeneration(row, addresses.get(row.profile) ?? ''));
  }

  app.get(
    operatorPaths.generations,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'findGenerations',
        tags: ['operator'],
        summary: 'Find generations, newest first',
        querystring: operatorGenerationQuerySchema,
        response: { 200: operatorGenerationListSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const { id, seller, state, failure, until, limit, cursor } = request.query;
      if (id !== undefined && id !== '') {
        const found = await findGenerationsById(db, [id, ...(await findGenerationsByCall(db, id))]);
        return { generations: await present(found), nextCursor: null };
      }
      const profile = seller?.includes('@') ? ((await findUserByEmail(db, seller))?._id ?? seller) : seller;
      const search = {
        ...(profile && { profile }),
        ...(state && { state }),
        ...(failure && { failure }),
        ...(until && { until: new Date(until) }),
      };
      const before = cursor === undefined ? undefined : decodeCursor(cursor);
      const rows = await searchGenerations(db, search, limit + 1, before);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        generations: await present(page),
        nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
      };
    },
  );

  app.get(
    operatorPaths.generation(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'inspectGeneration',
        tags: ['operator'],
        summary: 'A generation with its whole life, for operators',
        params: z.object({ id: z.string() }),
        response: { 200: operatorGenerationViewSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    (request) => generationForOperator(db, request.params.id),
  );
}
