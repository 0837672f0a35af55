import { limits } from '#contract/limits.ts';
import { planTable } from '#contract/plan-table.ts';
import { SectionHeading } from './section.tsx';

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
export function WhyChoose() {
  return (
    <section id="why" aria-labelledby="why-heading" className="scroll-mt-16 border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
        <SectionHeading
          id="why"
          title="Why Choose Packshot"
          lead="The look of a studio day, without the day."
        />
        <ul className="mt-10 grid sm:mt-12 md:grid-cols-3 md:gap-10">
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
      </div>
    </section>
  );
}
