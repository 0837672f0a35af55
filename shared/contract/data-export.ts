import { z } from 'zod';
import { deleteAccountSchema } from './accounts.ts';
import { clientErrors } from './errors.ts';

/** Body of `POST /api/me/export`: the code only where two-factor sign-in is on. */
export const exportDataSchema = deleteAccountSchema;
export type ExportData = z.input<typeof exportDataSchema>;

const [, error] = clientErrors.TOKEN_INVALID;

/** Query of `GET /api/me/export`: the ticket in the `url` of {@link dataExportSchema}. */
export const exportTicketSchema = z.strictObject({ ticket: z.string({ error }).max(2_000, { error }) });

/** Where the ZIP is, for `limits.exportTicketSeconds` and for the session that asked for it. */
export const dataExportSchema = z.object({ url: z.string(), expiresAt: z.iso.datetime() });
export type DataExport = z.infer<typeof dataExportSchema>;
