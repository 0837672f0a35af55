import { usePage } from '#web/lib/page.ts';
import { useMayBeSignedIn } from '#web/lib/signed-in-flag.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { FreeImages } from '#web/ui/free-images.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { ClosingCall } from './closing-call.tsx';
import { Demo } from './demo.tsx';
import { FaqTeaser } from './faq-teaser.tsx';
import { Gallery } from './gallery.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { PerfectFor } from './perfect-for.tsx';
import { PlanCards } from './plan-cards.tsx';
import { Section } from './section.tsx';
import { WhyChoose } from './why-choose.tsx';

/** The public landing page. */
export function LandingPage() {
  const heading = usePage(sitePages['/'].title);
  const signedIn = useMayBeSignedIn();
  return (
    <SitePage>
      <Hero signedIn={signedIn} headingRef={heading} />
      <Gallery />
      <Demo signedIn={signedIn} />
      <WhyChoose />
      <HowItWorks />
      <PerfectFor />
      <Section
        id="pricing"
        title="Simple Pricing"
        lead="Billed monthly. Cancel at any time, and use your plan until the month is over."
        centred
      >
        <PlanCards signedIn={signedIn} />
        {!signedIn && <FreeImages className="mt-8 text-center text-ink-soft" />}
      </Section>
      <FaqTeaser />
      <ClosingCall signedIn={signedIn} />
    </SitePage>
  );
}
