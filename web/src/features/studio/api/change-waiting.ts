import {
  type ChangeWaiting,
  type GenerationView,
  generationViewSchema,
  type MoveInLine,
  paths,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Moves a generation that waits within the seller's line. @throws ApiError; ALREADY_BEGUN if it is too late */
export function moveGeneration({ id, ...body }: MoveInLine & { id: string }): Promise<GenerationView> {
  return callApi('POST', paths.moveGeneration(id), generationViewSchema, { body });
}

/** Changes what a generation that waits asks for. @throws ApiError; ALREADY_BEGUN if it is too late */
export function changeWaiting(id: string, body: ChangeWaiting): Promise<GenerationView> {
  return callApi('PATCH', paths.generationRequest(id), generationViewSchema, { body });
}
