import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** What the entry of a page behind a mail's link keeps in the browser's history, so that the page can be reloaded. */
interface LinkState {
  token?: string;
}

/**
 * The `?token=` of a link from a mail. It is taken out of the address, so that nobody reads it there, copies it with the
 * address, or finds it in the list of visited pages.
 * @returns an empty string without one
 */
export function useLinkToken(): string {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const inAddress = new URLSearchParams(search).get('token');
  useEffect(() => {
    if (inAddress === null) return;
    const query = new URLSearchParams(search);
    query.delete('token');
    const kept: LinkState = { token: inAddress };
    navigate({ pathname, search: query.toString(), hash }, { replace: true, state: kept });
  }, [inAddress, pathname, search, hash, navigate]);
  return inAddress ?? (state as LinkState | null)?.token ?? '';
}
