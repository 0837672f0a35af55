import { Link, useLocation } from 'react-router-dom';
import { z } from 'zod';
import { limits } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { buttonClass, textLinkClass } from '#web/ui/button.tsx';
import { AccountPage } from './account-page.tsx';

/** What a protected page passes along when the account was deleted in this window. */
const stateSchema = z.object({ deleted: z.boolean() }).catch({ deleted: false });

const deletedThings = [
  'Your sign-in, name, email address and settings',
  'Your photos, your images and your usage history',
  'Your plan, if you had one: it has ended, and you will not be charged again',
];
const keptThings = [
  'Stripe, which handles our payments, keeps its own records of payments you made. We keep its notices about them for 30 days.',
  'OpenAI, which makes the images, may keep what it received for as long as its own policy says.',
  `A scrambled form of your email address, which nobody can read, stays for up to ${limits.freeImagesDays} days if you had free images, so that they are given once.`,
  'Our confirmation email stays in our outbox for a day after it was sent.',
];

/** After the deletion of an account, without a session: what was deleted, what is kept, and how to come back. */
export function GoodbyePage() {
  const { deleted } = stateSchema.parse(useLocation().state);
  const title = deleted ? 'Your account is deleted' : 'When an account is deleted';
  const heading = usePage(title);
  return (
    <AccountPage
      wide
      headingRef={heading}
      title={title}
      lead={
        deleted
          ? "Thanks for using Packshot. We'll email you when the last of your data is removed, usually within a minute."
          : 'This is what happens to an account that its owner deletes.'
      }
    >
      <div className="grid gap-6">
        <Things title="What is deleted" things={deletedThings} />
        <Things title="What is kept" things={keptThings} />
        <Link to="/privacy" className={`${textLinkClass} -my-3 inline-flex min-h-11 items-center`}>
          Read the Privacy Policy
        </Link>
        <div>
          <h2 className="font-semibold">If you want to come back</h2>
          <p className="mt-1.5 text-ink-soft">
            You can sign up again with the same email address at any time. Your new account starts empty:
            deleted images can't be restored, and free images are given once per email address.
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Link to="/" className={buttonClass('primary')}>
            Go to the home page
          </Link>
          <Link to="/signup" className={`${textLinkClass} inline-flex min-h-11 items-center`}>
            Create a new account
          </Link>
        </div>
      </div>
    </AccountPage>
  );
}

function Things({ title, things }: { title: string; things: readonly string[] }) {
  return (
    <div>
      <h2 className="font-semibold">{title}</h2>
      <ul className="mt-1.5 ml-5 grid list-disc gap-1.5 text-ink-soft">
        {things.map((thing) => (
          <li key={thing}>{thing}</li>
        ))}
      </ul>
    </div>
  );
}
