import { AppError } from '#shared/platform/errors.ts';

/** Encodes where a page of a list ends. Opaque to clients. */
export function encodeCursor(row: { created_at: Date; _id: string }): string {
  return Buffer.from(`${row.created_at.getTime()}.${row._id}`).toString('base64url');
}

/** @throws AppError VALIDATION when it was not made by `encodeCursor` */
export function decodeCursor(cursor: string): { created_at: Date; _id: string } {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f]{24})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) {
    throw new AppError('VALIDATION', { message: 'The field "cursor" is not valid.', field: 'cursor' });
  }
  return { created_at: new Date(Number(time)), _id: id };
}
