import { useSyncExternalStore } from 'react';
import type { Company } from '#contract/company.ts';

const subscribe = () => () => {};
const companyText = () => document.documentElement.dataset.company ?? '';

/** Who runs this installation: the server writes it into the document. Null for a demonstration, undefined in a prerendered page. */
export function useCompany(): Company | null | undefined {
  const text = useSyncExternalStore(subscribe, companyText, () => undefined);
  if (text === undefined) return undefined;
  return text === '' ? null : (JSON.parse(text) as Company);
}
