import { limits, settingsSchema } from '#contract';
import type { Config } from '#shared/platform/config.ts';
import { samplePrompt } from '#tests/support/sample-photo.ts';

/**
 * Calls the provider's image edit with `fetch`: sends the photo and reads the whole event stream.
 * @param onPreview awaited for each preview, in order
 * @returns the image
 */
export async function callProvider(
  config: Config,
  photo: Blob,
  onPreview: (png: Buffer, index: number) => Promise<unknown>,
): Promise<Buffer> {
  const form = new FormData();
  const fields = {
    model: config.image.model,
    prompt: samplePrompt,
    n: '1',
    size: `${limits.outputWidth}x${limits.outputHeight}`,
    quality: settingsSchema.parse({}).imageQuality,
    output_format: 'png',
    stream: 'true',
    partial_images: String(config.image.previews),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('image', photo, 'photo.jpeg');
  const response = await fetch(`${config.image.baseUrl}/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.image.apiKey}` },
    body: form,
  });
  const events = (await response.text())
    .split('\n\n')
    .flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    .map((data) => JSON.parse(data) as { type: string; b64_json: string });
  for (const [index, event] of events.entries()) {
    if (event.type === 'image_edit.partial_image') {
      await onPreview(Buffer.from(event.b64_json, 'base64'), index);
    }
  }
  return Buffer.from(events.find((event) => event.type === 'image_edit.completed')!.b64_json, 'base64');
}
