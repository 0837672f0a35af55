import { useCompany } from './use-company.ts';

/** Who runs this installation, in a line of the footer. */
export function CompanyLine() {
  const company = useCompany();
  // The line keeps its place until it is known.
  if (company === undefined) return <p className="min-h-5" />;
  if (company === null) return <p>A demonstration of Packshot</p>;
  return <p translate="no">{[company.name, company.address].filter(Boolean).join(', ')}</p>;
}
