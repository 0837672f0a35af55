import { namePhoto } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** The same error, whose message names the photo that it is about. */
export function aboutPhoto(error: AppError, fileName: string): AppError {
  const { code, field, retryAfterSeconds } = error;
  return new AppError(code, {
    message: namePhoto(error.message, fileName),
    ...(field !== undefined && { field }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: error,
  });
}
