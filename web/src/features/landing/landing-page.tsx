import { ArrowRight } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import { pages } from '#contract/paths.ts';
import { defaultPlan, planTable } from '#contract/plan-table.ts';
import { firstQuestions } from '#web/content/first-questions.ts';
import { usePage } from '#web/lib/page.ts';
import { useMayBeSignedIn } from '#web/lib/signed-in-flag.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { demoProducts } from '#web/pictures/demo.ts';
import { landingPictures } from '#web/pictures/landing.ts';
import { loginPictures } from '#web/pictures/login.ts';
import type { SitePicture } from '#web/pictures/picture-group.ts';
import { buttonClass, textLinkClass } from '#web/ui/button.tsx';
import { Carousel, type CarouselSlide } from '#web/ui/carousel/carousel.tsx';
import { FreeImages } from '#web/ui/free-images.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { PlanFeatures, PlanPrice } from '#web/ui/plan-features.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { Demo } from './demo.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { Screens } from './screens.tsx';
import { Section, SectionHeading } from './section.tsx';

/** The public landing page. */
export function LandingPage() {
  const heading = usePage(sitePages['/'].title);
  const signedIn = useMayBeSignedIn();
  return (
    <SitePage>
      <Hero signedIn={signedIn} headingRef={heading} />
      <Demo signedIn={signedIn} />
      <Gallery />
      <WhyChoose />
      <HowItWorks />
      <Screens />
      <PerfectFor />
      <Section
        id="pricing"
        title="Simple Pricing"
        lead="Billed monthly. Cancel at any time, and use your plan until the month is over."
        centred
        band
      >
        <PlanCards signedIn={signedIn} />
        {!signedIn && <FreeImages className="mt-8 text-center text-ink-soft" />}
      </Section>
      <FaqTeaser />
      <ClosingCall signedIn={signedIn} />
    </SitePage>
  );
}

/** The plans with their prices. */
function PlanCards({ signedIn }: { signedIn: boolean }) {
  return (
    <ul className="mx-auto grid max-w-4xl gap-5 md:grid-cols-2">
      {Object.entries(planTable).map(([id, plan]) => (
        <li key={id} className="flex flex-col rounded-card border border-line bg-page p-6 shadow-card sm:p-8">
          <h3 className="text-xl font-semibold">{plan.name}</h3>
          <PlanPrice plan={plan} className="mt-2" />
          <PlanFeatures plan={plan} className="mt-6 mb-8" />
          <SiteLink
            to={signedIn ? `${pages.plan}#plans` : `/signup?plan=${id}`}
            className={buttonClass(id === defaultPlan ? 'primary' : 'secondary', 'mt-auto')}
          >
            {signedIn ? 'See your plan' : `Choose ${plan.name}`}
          </SiteLink>
        </li>
      ))}
    </ul>
  );
}

/** The first questions of `/faq`, with their answers. */
function FaqTeaser() {
  return (
    <Section id="questions" title="Frequently asked questions">
      <dl className="grid gap-x-14 gap-y-9 md:grid-cols-2">
        {firstQuestions.map(({ id, question, answer }) => (
          <div key={id} className="border-t border-line pt-5">
            <dt className="text-lg font-semibold">{question}</dt>
            <dd className="mt-2 leading-relaxed text-ink-soft">{answer}</dd>
          </div>
        ))}
      </dl>
      <SiteLink to="/faq" className={`${textLinkClass} mt-10 inline-flex min-h-11 items-center gap-2`}>
        All questions and answers
        <ArrowRight aria-hidden className="size-4.5" />
      </SiteLink>
    </Section>
  );
}

const slides: CarouselSlide[] = landingPictures.map((picture) => ({
  picture,
  alt: picture.alt,
  caption: <p className="text-ink-soft">“{picture.scene}”</p>,
}));

/** The carousel of images that were made with Packshot, each with its scene description. */
function Gallery() {
  return (
    <section
      id="gallery"
      aria-labelledby="gallery-heading"
      className="border-y border-line bg-surface py-16 sm:py-20"
    >
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <SectionHeading
          id="gallery"
          title="One photo, any setting"
          lead="Made with Packshot from our sample photos. The words below each image are all it took."
          centred
        />
      </div>
      <Carousel
        label="Images made with Packshot"
        slides={slides}
        layout="row"
        sizes="(min-width: 100rem) 27rem, (min-width: 40rem) 28vw, 92vw"
        className="mt-8 px-4 sm:mt-10 sm:px-0"
      />
    </section>
  );
}

/** The end of the landing page: the way to an account once more. */
function ClosingCall({ signedIn }: { signedIn: boolean }) {
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

const reasons = [
  {
    figure: '30–60 s',
    unit: 'per image',
    title: 'Lightning Fast',
    text: 'An image usually takes 30 to 60 seconds, and you see previews while it is being made. Nothing to book, build or ship.',
  },
  {
    figure: `${limits.outputWidth} px`,
    unit: 'square PNG',
    title: 'Studio Quality',
    text: 'Light, shadows and surface that belong together. Add photos from several sides: all of them are used.',
  },
  {
    figure: `${planTable.freelance.monthlyGenerations}+`,
    unit: 'images a month',
    title: 'Scale Easily',
    text: 'A hundred images a month, or no monthly limit within fair use. An upgrade starts at once, and an image that fails is never counted.',
  },
] as const;

/** Three reasons for Packshot. */
function WhyChoose() {
  return (
    <Section id="why" title="Why Choose Packshot" lead="The look of a studio day, without the day.">
      <ul className="grid md:grid-cols-3 md:gap-10">
        {reasons.map(({ figure, unit, title, text }) => (
          <li key={title} className="border-t-2 border-ink py-7">
            <p aria-hidden className="text-5xl font-bold tracking-[-0.04em] lg:text-6xl">
              {figure}
            </p>
            <p aria-hidden className="mt-1 text-ink-soft">
              {unit}
            </p>
            <h3 className="mt-6 text-xl font-semibold">{title}</h3>
            <p className="mt-2 leading-relaxed text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const other = (name: string) => loginPictures.find((picture) => picture.name === name);

const uses: readonly { title: string; text: string; picture: SitePicture | undefined }[] = [
  {
    title: 'Commerce Products',
    text: 'A clean white background for the listing, a warm table for the shop window, from the same photo.',
    picture: demoProducts.find(({ id }) => id === 'vase')?.images['Minimalist White Background'],
  },
  {
    title: 'Marketing Campaigns',
    text: 'Try a season, a place or a mood before anybody books a location.',
    picture: other('bottle-beach'),
  },
  {
    title: 'Fashion Shoots',
    text: 'Bags, shoes and accessories, in the light and on the surfaces of the collection.',
    picture: other('headphones-black'),
  },
  {
    title: 'Product Advertising',
    text: 'One strong image for the ad: one product, one colour, nothing that distracts.',
    picture: other('notebook-mustard'),
  },
];

/** Whom Packshot is for. */
function PerfectFor() {
  return (
    <Section id="perfect-for" title="Perfect For">
      <ul className="grid gap-x-5 gap-y-7 sm:grid-cols-2 sm:gap-y-9 lg:grid-cols-4">
        {uses.map(({ title, text, picture }) => (
          <li key={title} className="grid grid-cols-[7rem_1fr] items-center gap-4 sm:block">
            {picture && (
              <Picture
                picture={picture}
                alt={picture.alt}
                sizes="(min-width: 64rem) 17rem, (min-width: 40rem) 46vw, 7rem"
                className="aspect-square w-full rounded-card border border-line bg-sunken object-cover"
              />
            )}
            <div>
              <h3 className="text-xl font-semibold sm:mt-4">{title}</h3>
              <p className="mt-1.5 leading-relaxed text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
