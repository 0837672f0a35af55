import { z } from 'zod';
import { type Contact, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Sends us a message. @throws ApiError */
export async function sendMessage(message: Contact): Promise<void> {
  await callApi('POST', paths.contact, z.object({}), { body: message });
}
