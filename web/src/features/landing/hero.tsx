import { ArrowRight } from 'lucide-react';
import type { Ref } from 'react';
import { buttonClass } from '#web/ui/button.tsx';
import { FreeImages } from '#web/ui/free-images.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { HeroPairs } from './hero-pairs.tsx';

/** The top of the landing page: what Packshot does, and a photo with the image that was made from it. */
export function Hero({ signedIn, headingRef }: { signedIn: boolean; headingRef: Ref<HTMLHeadingElement> }) {
  return (
    <section className="sweep overflow-hidden">
      <div className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-10 sm:px-6 sm:py-16 lg:min-h-[min(46rem,calc(100dvh-4rem))] lg:grid-cols-[1.08fr_1fr] lg:gap-16">
        <div>
          <h1
            ref={headingRef}
            tabIndex={-1}
            className="text-[2.625rem] leading-[1.02] font-bold tracking-[-0.04em] min-[24rem]:text-5xl sm:text-6xl xl:text-[4.5rem]"
          >
            Your product, on any set you can describe
          </h1>
          <p className="mt-6 max-w-xl text-lg leading-relaxed text-ink-soft sm:text-xl sm:leading-relaxed">
            Upload photos of your product, describe the scene, and get a studio image for your listing. No
            studio, no lights, no waiting for a photographer.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-3">
            <SiteLink
              to={signedIn ? '/dashboard' : '/signup'}
              className={buttonClass('primary', 'min-h-13 px-7 text-base')}
            >
              {signedIn ? 'Open your studio' : 'Get started'}
              <ArrowRight aria-hidden className="size-4.5" />
            </SiteLink>
            <a href="#demo" className={buttonClass('secondary', 'min-h-13 px-7 text-base')}>
              Try the demo
            </a>
          </div>
          {!signedIn && <FreeImages className="mt-4 text-ink-soft" />}
        </div>
        <HeroPairs />
      </div>
    </section>
  );
}
