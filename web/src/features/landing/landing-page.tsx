import { Camera, Download, MessageSquareText } from 'lucide-react';
import type { Ref } from 'react';
import { Link } from 'react-router-dom';
import { limits } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { SitePage, useSignedIn } from '#web/ui/site/site-page.tsx';
import { HeroImages } from './hero-images.tsx';
import { PlanCards } from './plan-cards.tsx';

const steps = [
  {
    Icon: Camera,
    title: 'Upload Your Product',
    text: `Up to ${limits.photos} photos, straight from your phone. All of them are used.`,
  },
  {
    Icon: MessageSquareText,
    title: 'Describe Your Scene',
    text: 'Describe the setting in your own words, or start from a template.',
  },
  {
    Icon: Download,
    title: 'Generate & Download',
    text: `Watch it take shape and download it at ${limits.outputWidth} × ${limits.outputHeight} pixels.`,
  },
] as const;

/** The public landing page. */
export function LandingPage() {
  const heading = usePage(sitePages['/'].title);
  const signedIn = useSignedIn();
  return (
    <SitePage>
      <Hero signedIn={signedIn} headingRef={heading} />
      <HowItWorks />
      <section
        id="pricing"
        aria-labelledby="pricing-heading"
        className="mx-auto max-w-6xl scroll-mt-16 px-4 py-14 sm:px-6 sm:py-20"
      >
        <h2 id="pricing-heading" className="mb-8 text-center text-3xl font-bold sm:text-4xl">
          Simple Pricing
        </h2>
        <PlanCards signedIn={signedIn} />
      </section>
    </SitePage>
  );
}

function Hero({ signedIn, headingRef }: { signedIn: boolean; headingRef: Ref<HTMLHeadingElement> }) {
  return (
    <section className="sweep">
      <div className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-12 sm:px-6 sm:py-20 lg:grid-cols-[1.05fr_1fr]">
        <div>
          <h1
            ref={headingRef}
            tabIndex={-1}
            className="text-[2.5rem] leading-[1.05] font-bold tracking-[-0.035em] sm:text-6xl"
          >
            Your product, on any set you can describe
          </h1>
          <p className="mt-5 max-w-xl text-lg leading-relaxed text-ink-soft">
            Upload photos of your product, describe the scene, and get a studio image for your listing. No
            studio, no lights, no waiting for a photographer.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Link
              to={signedIn ? '/dashboard' : '/signup'}
              className={buttonClass('primary', 'min-h-13 px-7 text-base')}
            >
              {signedIn ? 'Open your studio' : 'Get started'}
            </Link>
            <a href="#how" className={buttonClass('secondary', 'min-h-13 px-7 text-base')}>
              How it works
            </a>
          </div>
        </div>
        <HeroImages />
      </div>
    </section>
  );
}

function HowItWorks() {
  return (
    <section id="how" aria-labelledby="how-heading" className="scroll-mt-16 border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-14 sm:px-6 sm:py-20">
        <h2 id="how-heading" className="text-3xl font-bold sm:text-4xl">
          How It Works
        </h2>
        <ol className="mt-8 grid gap-8 md:grid-cols-3">
          {steps.map(({ Icon, title, text }, index) => (
            <li key={title}>
              <span className="flex items-center gap-3">
                <span className="grid size-12 place-items-center rounded-full bg-accent-wash text-accent">
                  <Icon aria-hidden className="size-5.5" />
                </span>
                <span aria-hidden className="text-sm font-semibold text-ink-soft">
                  {index + 1}
                </span>
              </span>
              <h3 className="mt-4 text-xl font-semibold">{title}</h3>
              <p className="mt-2 leading-relaxed text-ink-soft">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
