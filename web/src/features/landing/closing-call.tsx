import { ArrowRight } from 'lucide-react';
import { buttonClass } from '#web/ui/button.tsx';
import { FreeImages } from '#web/ui/free-images.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';

/** The end of the landing page: the way to an account once more. */
export function ClosingCall({ signedIn }: { signedIn: boolean }) {
  return (
    <section aria-labelledby="start-heading" className="sweep">
      <div className="mx-auto max-w-6xl px-4 py-16 text-center sm:px-6 sm:py-24">
        <h2
          id="start-heading"
          className="mx-auto max-w-2xl text-3xl leading-[1.1] font-bold tracking-[-0.025em] sm:text-5xl"
        >
          Now with your own product
        </h2>
        {!signedIn && <FreeImages className="mt-4 text-lg text-ink-soft" />}
        <SiteLink
          to={signedIn ? '/dashboard' : '/signup'}
          className={buttonClass('primary', 'mt-8 min-h-13 px-7 text-base')}
        >
          {signedIn ? 'Open your studio' : 'Create your account'}
          <ArrowRight aria-hidden className="size-4.5" />
        </SiteLink>
      </div>
    </section>
  );
}
