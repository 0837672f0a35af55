import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import { planIds, plans } from '../../../../shared/contract/index.ts';
import { buttonClass } from '../../ui/button.tsx';

/** Both plans of the contract with their prices. */
export function PlanCards({ signedIn }: { signedIn: boolean }) {
  return (
    <ul className="mx-auto grid max-w-4xl gap-5 md:grid-cols-2">
      {planIds.map((id) => {
        const plan = plans[id];
        return (
          <li
            key={id}
            className="flex flex-col rounded-card border border-line bg-surface p-6 shadow-card sm:p-8"
          >
            <h3 className="text-xl font-semibold">{plan.name}</h3>
            <p className="mt-2 text-ink-soft">
              <span className="text-4xl font-bold tracking-tight text-ink">
                ${plan.monthlyPriceCents / 100}
              </span>{' '}
              a month
            </p>
            <ul className="mt-6 mb-8 grid gap-3">
              {plan.features.map((feature) => (
                <li key={feature} className="flex items-center gap-3">
                  <Check aria-hidden className="size-4.5 text-good" strokeWidth={3} />
                  {feature}
                </li>
              ))}
            </ul>
            <Link
              to={signedIn ? '/profile' : `/signup?plan=${id}`}
              className={buttonClass(id === 'freelance' ? 'primary' : 'secondary', 'mt-auto')}
            >
              {signedIn ? 'See your plan' : `Choose ${plan.name}`}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
