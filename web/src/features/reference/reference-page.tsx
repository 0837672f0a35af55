import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { v1ErrorsPage, v1Paths } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { type ApiDocument, fetchDocument, groupsOf } from './document.ts';
import { OperationItem } from './operation-item.tsx';

const keyPattern = /^pk_[a-z]+_[0-9a-f]{56}$/;

/** Every address of the API for programs, from its document. A key that is pasted is kept in this page only. */
export function ReferencePage() {
  const heading = usePage(sitePages['/documentation/reference'].title);
  const [key, setKey] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['api-document'],
    queryFn: ({ signal }) => fetchDocument(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isKey = keyPattern.test(key);
  return (
    <SitePage>
      <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-12">
        <p className="text-sm text-ink-soft">
          <SiteLink to="/documentation" className={textLinkClass}>
            Documentation
          </SiteLink>
        </p>
        <h1 ref={heading} tabIndex={-1} className="mt-2 text-4xl leading-tight font-bold tracking-tight">
          {sitePages['/documentation/reference'].title}
        </h1>
        <p className="mt-3 max-w-[60ch] text-lg text-ink-soft">
          Every address under <code translate="no">/api/v1</code>, what it takes and what it answers.{' '}
          <SiteLink to="/documentation/first-image-with-the-api" className={textLinkClass}>
            Your first image with the API
          </SiteLink>{' '}
          begins at the beginning, and{' '}
          <SiteLink to={v1ErrorsPage} className={textLinkClass}>
            errors
          </SiteLink>{' '}
          are listed there. For generators of clients there is the{' '}
          <a href={v1Paths.document} className={textLinkClass}>
            OpenAPI document
          </a>
          .
        </p>
        <Field
          label="Your API key"
          className="mt-8 max-w-xl"
          value={key}
          onChange={({ target }) => setKey(target.value.trim())}
          error={
            key === '' || isKey ? undefined : 'This is no API key: one begins with pk_ and has 64 characters.'
          }
          hint="Optional. It's filled into the examples, and you can send requests that only read. It stays in this tab until you leave or reload the page."
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          translate="no"
          placeholder="pk_…"
        />
        <div className="mt-10">
          {!data && !error && <ListSkeleton />}
          {error && <ListError error={error} onRetry={() => void refetch()} />}
          {data && <Groups document={data} apiKey={isKey ? key : null} />}
        </div>
      </div>
    </SitePage>
  );
}

function Groups({ document: api, apiKey }: { document: ApiDocument; apiKey: string | null }) {
  // A link to an operation is followed once it is there.
  useEffect(() => {
    const target = window.document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView();
  }, []);
  return (
    <div className="grid gap-10">
      {[...groupsOf(api)].map(([name, operations]) => (
        <section key={name} aria-labelledby={`${name}-heading`}>
          <h2 id={`${name}-heading`} className="text-2xl font-bold first-letter:uppercase">
            {name}
          </h2>
          <ul className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-3">
            {operations.map((operation) => (
              <li key={operation.operationId}>
                <OperationItem document={api} operation={operation} apiKey={apiKey} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
