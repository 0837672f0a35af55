import { z } from 'zod';
import { emailSchema, limits, type Unreachable } from '#contract';
import { saysAddressIsDead } from '#shared/mail/bounces.ts';

/** What the mail provider reports about one address. Null where it says nothing about it: a full mailbox, a policy. */
export interface MailReport {
  address: string;
  outcome: Pick<Unreachable, 'kind' | 'reason'> | null;
}

const text = z.string().max(10_000).default('');

/** Our own shape, for whatever calls the webhook: a provider's rule, a script that reads bounces (docs/runbook.md). */
const ownSchema = z.object({
  reports: z
    .array(
      z.object({
        type: z.enum(['bounce', 'complaint']),
        address: emailSchema,
        /** Of a bounce: whether the provider will not try again. */
        permanent: z.boolean().default(false),
        reason: text,
      }),
    )
    .max(limits.mailReports),
});

/** Postmark's webhooks for bounces and complaints: one report in each request. */
const postmarkSchema = z.object({
  RecordType: z.enum(['Bounce', 'SpamComplaint']),
  Type: text,
  Email: emailSchema,
  Description: text,
  Details: text,
});

/** The types of Postmark that mean that the address does not exist. The others are temporary, or about us or the mail. */
const deadAtPostmark: readonly string[] = ['HardBounce', 'BadEmailAddress'];

/** A report of any other type, such as a delivery, which is accepted and ignored. */
const otherSchema = z.object({ RecordType: z.string() });

/** The body of the webhook. */
export const mailReportsSchema = z.union([ownSchema, postmarkSchema, otherSchema]);

/** Reads the reports in a request, in our shape or in Postmark's. */
export function readReports(body: z.output<typeof mailReportsSchema>): MailReport[] {
  if ('reports' in body) {
    return body.reports.map(({ type, address, permanent, reason }) => {
      const isDead = type === 'complaint' || (permanent && isAboutAddress(reason));
      return { address, outcome: isDead ? { kind: type, reason } : null };
    });
  }
  if (!('Email' in body)) return [];
  const { RecordType, Type, Email: address, Description, Details } = body;
  const reason = Details || Description;
  if (RecordType === 'SpamComplaint') return [{ address, outcome: { kind: 'complaint', reason } }];
  return [{ address, outcome: deadAtPostmark.includes(Type) ? { kind: 'bounce', reason } : null }];
}

/** Whether a permanent failure is about the address: the server's words decide if they have a code, else the provider does. */
function isAboutAddress(reason: string): boolean {
  const code = /(?:^|\s)(5\d\d)[\s-]/.exec(reason)?.[1];
  const status = /(?:^|\s)5\.\d{1,3}\.\d{1,3}/.test(reason);
  return code === undefined && !status ? true : saysAddressIsDead(Number(code ?? 550), reason);
}
