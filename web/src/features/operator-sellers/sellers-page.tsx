import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import { operatorSellerQuerySchema, pages, plans } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { OperatorHeading } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { searchSellers } from './api.ts';
import { RefusedSellers } from './refusals.tsx';

/** Finds sellers. The search is part of the address, so that "back" returns to it. */
export function SellersPage() {
  const [params, setParams] = useSearchParams();
  const query = params.get('query') ?? '';
  const isValid = operatorSellerQuerySchema.safeParse({ query }).success;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['operator', 'sellers', query],
    queryFn: ({ signal }) => searchSellers(query, signal),
    enabled: isValid,
  });
  return (
    <>
      <OperatorHeading>Sellers</OperatorHeading>
      <Section id="search" title="Find a seller" lead="See and change balance, plan and account.">
        <search>
          <form
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              const entered = String(new FormData(event.currentTarget).get('query')).trim();
              setParams(entered === '' ? {} : { query: entered });
            }}
          >
            <Field
              key={query}
              name="query"
              type="search"
              label="Start of the email, or ID"
              autoComplete="off"
              defaultValue={query}
              className="min-w-0 flex-1 basis-64"
            />
            <Button type="submit">Search</Button>
          </form>
        </search>
        <div className="mt-5">
          {query !== '' && !isValid && <p className="text-ink-soft">Please enter at least 2 characters.</p>}
          {isFetching && !data && <ListSkeleton />}
          {error && <ListError error={error} onRetry={() => void refetch()} />}
          {data?.sellers.length === 0 && <p className="text-ink-soft">No sellers found.</p>}
          {data && (
            <ul className="divide-y divide-line">
              {data.sellers.map(({ id, email, fullName, plan, status, disabled }) => (
                <li key={id}>
                  <Link
                    to={`${pages.operator}/sellers/${id}`}
                    className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-lg px-2 py-3 hover:bg-sunken"
                  >
                    <Name className="min-w-0 font-semibold break-words">{email}</Name>
                    <span className="text-sm text-ink-soft">
                      <Name>{fullName}</Name> · {plans[plan].name}, {status}
                      {disabled && ' · disabled'}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {data?.more && (
            <p className="mt-3 text-sm text-ink-soft">There are more. Enter more of the email.</p>
          )}
        </div>
      </Section>
      <RefusedSellers />
    </>
  );
}
