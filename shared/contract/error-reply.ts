import { z } from 'zod';
import { errorCodes } from './errors.ts';
import { secondFactors } from './second-factors.ts';

/** The one shape of every error answer. */
export const errorReplySchema = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    /** The id of the request's trace, 32 hexadecimal digits: finds its lines in all logs. */
    requestId: z.string(),
    /** The field that is not valid, if it is one. */
    field: z.string().optional(),
    /** Of the API for programs: the page that explains errors. */
    docs: z.url().optional(),
    /** With CODE_REQUIRED: what the account has besides recovery codes. */
    factors: z.array(z.enum(secondFactors)).optional(),
  }),
});
export type ErrorReply = z.infer<typeof errorReplySchema>;
