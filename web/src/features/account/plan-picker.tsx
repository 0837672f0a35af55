import type { ComponentProps } from 'react';
import { planIdSchema, planIds, plans } from '#contract';
import { formatPrice } from '#web/lib/price.ts';
import { FreeImages } from '#web/ui/free-images.tsx';
import { PlanFeatures } from '#web/ui/plan-features.tsx';

interface PlanPickerProps {
  input: ComponentProps<'input'>;
  /** The plan that is selected. */
  selected: string | undefined;
}

/** The plans as radio buttons, and on request what the selected one includes. */
export function PlanPicker({ input, selected }: PlanPickerProps) {
  const { data: selectedPlan } = planIdSchema.safeParse(selected);
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Plan</legend>
      <div className="grid gap-2 min-[26rem]:grid-cols-2">
        {planIds.map((id) => {
          const plan = plans[id];
          return (
            <label
              key={id}
              className="relative block rounded-field border border-line-strong p-3.5 transition-colors hover:bg-sunken has-checked:border-accent has-checked:bg-accent-wash has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <span className="flex items-center justify-between gap-2">
                <span className="font-semibold">{plan.name}</span>
                <input type="radio" value={id} className="size-4 accent-accent" {...input} />
              </span>
              <span className="mt-0.5 block text-sm text-ink-soft">
                <span className="text-base font-semibold text-ink">
                  {formatPrice(plan.monthlyPriceCents)}
                </span>{' '}
                a month
              </span>
              <span className="mt-1 block text-sm text-ink-soft">{plan.features[0]?.name}</span>
            </label>
          );
        })}
      </div>
      <FreeImages className="mt-2.5 text-sm text-ink-soft" />
      {selectedPlan && (
        <details className="mt-1">
          <summary className="flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-3">
            What {plans[selectedPlan].name} includes
          </summary>
          <PlanFeatures plan={plans[selectedPlan]} newTab className="pb-1" />
        </details>
      )}
    </fieldset>
  );
}
