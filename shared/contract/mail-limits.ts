/** Limits of mails that come back. */
export const mailLimits = {
  /** Hours between two tries of a mail that its owner asks for, to an address whose mail came back. */
  unreachableTryHours: 24,
  /** Reports in one request of the mail provider, and characters of a reason that are kept. */
  mailReports: 1_000,
  mailReasonCharacters: 300,
} as const;
