import { useCompany } from './use-company.ts';

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
