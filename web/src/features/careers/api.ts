import { z } from 'zod';
import { type PositionId, paths } from '#contract';
import { upload } from '#web/lib/upload.ts';
import type { ApplicationValues } from './application-form-schema.ts';

interface SendOptions {
  /** Called with the fraction that was sent, 0 to 1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/** Applies for a position. @throws ApiError */
export async function sendApplication(
  position: PositionId,
  { name, email, message = '', website = '', cv }: ApplicationValues,
  options: SendOptions,
): Promise<void> {
  const form = new FormData();
  for (const [field, value] of Object.entries({ position, name, email, message, website })) {
    form.append(field, value);
  }
  if (cv) form.append('cv', cv);
  await upload({ path: paths.applications, form, headers: {}, schema: z.object({}), ...options });
}
