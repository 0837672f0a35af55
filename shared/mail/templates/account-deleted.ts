import { dateLabel } from '#shared/mail/labels.ts';
import { composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';

/** After an account was deleted, to its former address. @param data byOperator: whether our support did it on request */
export function accountDeleted(data: { fullName: string; byOperator?: boolean }): MailContent {
  return composeMail({
    subject: 'Your account was deleted',
    heading: 'Your account was deleted',
    fullName: data.fullName,
    blocks: [
      paragraph(
        data.byOperator
          ? 'Our support deleted your Packshot account on request, with your photos, images and settings. It cannot be restored, and you will not be charged again.'
          : 'Your Packshot account was deleted, with your photos, images and settings. It cannot be restored, and you will not be charged again.',
      ),
      paragraph('Thanks for using Packshot. You are welcome back at any time.'),
      smallPrint(
        data.byOperator
          ? "If you didn't ask for this, answer this email."
          : "If this wasn't you, someone knows your password. Change it wherever else you use it.",
      ),
    ],
  });
}

/** After our support planned the deletion of an account. @param data dueAt: when it is deleted */
export function deletionPlanned(data: { fullName: string; dueAt: Date }): MailContent {
  return composeMail({
    subject: 'Your account will be deleted',
    heading: 'Your account will be deleted',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'We received a request to delete your Packshot account. We will delete it at the time below, with your photos, images and settings. Your plan will not be renewed until then, and it ends with the account.',
      ),
      facts(['Will be deleted', dateLabel(data.dueAt)]),
      paragraph(
        'Please download what you want to keep before then. To keep your account, answer this email.',
      ),
      smallPrint('If you asked for this, no action is needed.'),
    ],
  });
}
