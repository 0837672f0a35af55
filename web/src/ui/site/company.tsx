import { useSyncExternalStore } from 'react';
import type { Company } from '#contract/company.ts';

const subscribe = () => () => {};
const companyText = () => document.documentElement.dataset.company ?? '';

/** Who runs this installation: the server writes it into the document. Null for a demonstration, undefined in a prerendered page. */
function useCompany(): Company | null | undefined {
  const text = useSyncExternalStore(subscribe, companyText, () => undefined);
  if (text === undefined) return undefined;
  return text === '' ? null : (JSON.parse(text) as Company);
}

/** Who runs this installation, in a line of the footer. */
export function CompanyLine() {
  const company = useCompany();
  // The line keeps its place until it is known.
  if (company === undefined) return <p className="min-h-5" />;
  if (company === null) return <p>A demonstration of Packshot: no company runs this installation.</p>;
  return <p translate="no">{[company.name, company.address].filter(Boolean).join(', ')}</p>;
}

/** A section of a public page about who runs this installation. */
export function CompanySection() {
  const company = useCompany();
  return (
    <section aria-labelledby="company" className="mt-10">
      <h2 id="company" className="text-2xl font-semibold tracking-tight">
        Who runs this installation
      </h2>
      {company === null && (
        <p className="mt-3">
          Nobody sells anything here: this is a demonstration of Packshot, without a company behind it.
        </p>
      )}
      {company && (
        <address translate="no" className="mt-3 not-italic">
          <strong className="font-semibold">{company.name}</strong>
          {[company.address, company.registration].map((line) => line && <p key={line}>{line}</p>)}
        </address>
      )}
    </section>
  );
}
