import type { GenerationRequest } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { preparePhotos } from '#server/uploads/photos.ts';
import type { Upload } from '#server/uploads/read-upload.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Admitted } from '#shared/generations/admission.ts';
import { type Submitted, submit } from '#shared/generations/submit.ts';
import { fingerprintOf } from './idempotency.ts';

/** A validated form. */
export interface Form {
  sellerId: string;
  idempotencyKey: string;
  /** The network of the request. */
  network?: string;
  /** The API key of the request; none in the studio. */
  apiKey?: GenerationRow['api_key'];
  fields: GenerationRequest;
  files: Upload['files'];
  /** What admitted the upload. */
  admitted?: Admitted | null;
  /** Tells it from other requests under its key; by default a hash of fields and files. */
  fingerprint?: string;
}

/** Submits a form, whose photos are normalised meanwhile. @throws as `submit`; then nothing is left */
export async function submitForm(
  context: ServerContext,
  { files, fingerprint, ...form }: Form,
): Promise<Submitted> {
  // It takes longer than anything else, so it begins before the row is inserted.
  const photos = preparePhotos(context.decoder, { sellerId: form.sellerId }, files);
  try {
    return await submit(context, {
      kind: 'photos',
      ...form,
      fingerprint:
        fingerprint ??
        fingerprintOf(
          form.fields,
          files.map(({ sha256 }) => sha256),
        ),
      photos: photos.normalised,
    });
  } finally {
    await photos.discard();
  }
}
