import { type AlertEvent, type AlertKind, alertNames, runbookOf } from '#contract';

/** What is told about an alert. */
export interface AlertNews {
  /** The same for every delivery of the same news. */
  id: string;
  alert: AlertKind;
  event: AlertEvent;
  at: Date;
  /** When the alert began. */
  since: Date;
  details: string;
}

const headings: Readonly<Record<AlertEvent, string>> = {
  began: 'Alert',
  reminder: 'Still',
  ended: 'Over',
};

/** One line that says what happened. */
export const headingOf = ({ alert, event }: Pick<AlertNews, 'alert' | 'event'>) =>
  `${headings[event]}: ${alertNames[alert]}`;

/**
 * The body of a call of the operators' webhook, as JSON. `text` is what chat services show.
 * @param origin of the installation
 */
export function webhookBody(news: AlertNews, origin: string): string {
  const { id, alert, event, at, since, details } = news;
  const runbook = runbookOf(alert);
  // What a store or a mail server answered may end without a full stop.
  const sentence = /[.!?]$/.test(details) ? details : `${details}.`;
  const text = `${headingOf(news)}. ${sentence} What to do: ${runbook} (${origin})`;
  return JSON.stringify({ id, alert, event, at, since, details, runbook, installation: origin, text });
}
