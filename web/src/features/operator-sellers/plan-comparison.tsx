import { useQuery } from '@tanstack/react-query';
import { type OperatorPlan, type OperatorSellerView, plans } from '#contract';
import { type Dates, useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Section } from '#web/ui/section.tsx';
import { fetchStripePlan, sellerKeys } from './api.ts';

interface PlanComparisonProps {
  id: string;
  seller: OperatorSellerView;
  onApply: () => void;
}

/** The facts about a plan, as text. */
function factsOf(plan: OperatorPlan, dates: Dates): readonly [name: string, value: string][] {
  const { periodStart, periodEnd, cancelAtPeriodEnd, nextPlan } = plan;
  return [
    ['Plan', plans[plan.plan].name],
    ['Status', plan.status],
    ['Subscription', plan.subscriptionId ?? 'none'],
    ['Period', periodStart && periodEnd ? dates.period(periodStart, periodEnd) : 'none'],
    ['At its end', cancelAtPeriodEnd ? 'ends' : nextPlan ? `becomes ${plans[nextPlan].name}` : 'renews'],
  ];
}

const customers = {
  none: 'no customer',
  there: 'no subscription',
  deleted: 'the customer was deleted',
  unknown: 'this Stripe account does not know the customer',
};

/** The plan as it is stored here and as Stripe has it, side by side. */
export function PlanComparison({ id, seller, onApply }: PlanComparisonProps) {
  const dates = useDates();
  const { data, error, refetch } = useQuery({
    // A change here, such as after applying what Stripe says, reads Stripe again.
    queryKey: [...sellerKeys.stripe(id), seller.planReadAt],
    queryFn: ({ signal }) => fetchStripePlan(id, signal),
    placeholderData: (previous) => previous,
  });
  const here = factsOf(seller.plan, dates);
  const there = data?.plan && new Map(factsOf(data.plan, dates));
  const { planReadAt, customerId } = seller;
  return (
    <Section
      id="plan"
      title="Plan"
      lead={
        planReadAt === null
          ? 'Stripe has never been read for this seller.'
          : `Stripe was read on ${dates.dateTime(planReadAt)}.`
      }
      trailing={
        <Button variant="secondary" onClick={onApply}>
          Apply what Stripe says
        </Button>
      }
    >
      <table className="w-full table-fixed text-left text-[0.9375rem]">
        <thead>
          <tr className="text-sm text-ink-soft">
            <th className="w-28 py-1.5 pr-3 font-normal sm:w-1/4">
              <span className="sr-only">What</span>
            </th>
            <th className="py-1.5 pr-4 font-semibold">Here</th>
            <th className="py-1.5 font-semibold">At Stripe</th>
          </tr>
        </thead>
        <tbody>
          {here.map(([name, value]) => {
            const other = there?.get(name);
            const differs = other !== undefined && other !== value;
            return (
              <tr key={name} className="border-t border-line align-top">
                <th className="py-2 pr-3 font-normal text-ink-soft">{name}</th>
                <td className="py-2 pr-3 [overflow-wrap:anywhere]">{value}</td>
                <td className={`py-2 [overflow-wrap:anywhere] ${differs ? 'font-semibold text-danger' : ''}`}>
                  {other ?? '–'}
                  {differs && <span className="sr-only"> (differs)</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {data && !data.plan && (
        <p className="mt-3 text-sm text-ink-soft">At Stripe: {customers[data.customer]}.</p>
      )}
      {customerId !== null && <p className="mt-3 text-sm text-ink-soft">Customer {customerId}</p>}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
    </Section>
  );
}
