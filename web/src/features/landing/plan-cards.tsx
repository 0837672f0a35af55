import { pages } from '#contract/paths.ts';
import { defaultPlan, planTable } from '#contract/plan-table.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PlanFeatures, PlanPrice } from '#web/ui/plan-features.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';

/** The plans with their prices. */
export function PlanCards({ signedIn }: { signedIn: boolean }) {
  return (
    <ul className="mx-auto grid max-w-4xl gap-5 md:grid-cols-2">
      {Object.entries(planTable).map(([id, plan]) => (
        <li
          key={id}
          className="flex flex-col rounded-card border border-line bg-surface p-6 shadow-card sm:p-8"
        >
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
