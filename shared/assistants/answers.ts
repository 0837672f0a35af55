import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { visibleStates } from '#contract/generation-states.ts';
import type { ToolFile, ToolImage } from './account.ts';

/* What the tools of assistants answer with, and how they say what they change. */

export const imageSchema = z.object({
  id: z.string(),
  productName: z.string(),
  prompt: z.string(),
  state: z.enum(visibleStates),
  width: z.number().nullable(),
  height: z.number().nullable(),
  match: z
    .enum(['high', 'medium', 'low', 'unknown'])
    .nullable()
    .describe('how surely it shows the product of the photos'),
  failure: z.string().nullable(),
  imageUsed: z.boolean().describe('whether it has used an image of the plan'),
});
export const imagesSchema = z.object({ images: z.array(imageSchema) });

export const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: true };
export const changing = { readOnlyHint: false, idempotentHint: true, openWorldHint: true };
export const idSchema = z.object({ id: z.string().describe('id of an image') });

/** As structured data, and as text for clients without it. */
export function answer<Data extends object>(structuredContent: Data) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
    structuredContent: { ...structuredContent },
  };
}

export function answerWithFile({ bytes, mimeType }: ToolFile, details: object) {
  const { content, structuredContent } = answer({ mimeType, bytes: bytes.byteLength, ...details });
  const data = Buffer.from(bytes).toString('base64');
  return { content: [...content, { type: 'image' as const, data, mimeType }], structuredContent };
}

export function present({ id, productName, prompt, state, image, match, failure, imageUsed }: ToolImage) {
  return {
    id,
    productName,
    prompt,
    state,
    width: image?.width ?? null,
    height: image?.height ?? null,
    match,
    failure: failure?.message ?? null,
    imageUsed,
  };
}

/** For clients that asked for it. */
export async function sayProgress({ mcpReq }: ServerContext, ended: number, total: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const message = `${ended} of ${total} images have ended`;
  const params = { progressToken, progress: ended, total, message };
  await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
}
