/** Parts of the form of `POST /api/generations`, and what sends them. */
import { paths } from '#contract';
import type { Part, RawForm } from './multipart.ts';
import type { Answer, Seller } from './seller.ts';

/** A description that is accepted. */
export const promptPart: Part = { name: 'prompt', value: 'On a table' };

/** A text field. */
export function fieldPart(name: string, value: string | Buffer, type?: string): Part {
  return { name, value, ...(type ? { type } : {}) };
}

/** A photo, declared as a PNG. @param more replaces the name, file name, type or headers */
export function photoPart(value: Buffer, more: Partial<Part> = {}): Part {
  return { name: 'images', fileName: 'photo.png', type: 'image/png', value, ...more };
}

/** Submits a form as it is. */
export function sendForm(seller: Seller, form: RawForm): Promise<Answer<unknown>> {
  return seller.request(paths.generations, { method: 'POST', ...form });
}

/** Field and message of VALIDATION for a field that is not known. */
export function unknownField(name: string): { field: string; message: string } {
  return { field: name, message: `The field "${name}" is not known.` };
}
