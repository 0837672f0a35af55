import { z } from 'zod';
import { errorCodes } from './errors.ts';

/** The one shape of every error answer. */
export const errorReplySchema = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    /** The id of the request's trace, 32 hexadecimal digits: finds its lines in all logs. */
    requestId: z.string(),
    /** The field that is not valid, if it is one. */
    field: z.string().optional(),
  }),
});
export type ErrorReply = z.infer<typeof errorReplySchema>;
