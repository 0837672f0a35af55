/** Behaviours of the local image provider, and what it was asked. */
import type { Behaviour } from '#local/openai/control-client.ts';

/** A call that the provider refuses because of its content policy: the generation fails at once. */
export const contentRefused = {
  kind: 'error',
  status: 400,
  code: 'moderation_blocked',
  type: 'image_generation_user_error',
} as const satisfies Behaviour;

/** The seller's description in a call that the image provider received: the first paragraph. Forms end lines with CR LF. */
export function describedScene(call: { prompt: string }): string {
  return call.prompt.split(/(?:\r?\n){2}/)[0]!;
}
