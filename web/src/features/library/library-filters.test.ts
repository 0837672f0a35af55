import { expect, it } from 'vitest';
import { apiQuery, isFiltered, noFilters, readFilters, writeFilters } from './library-filters.ts';

it('keeps search, filters and sort in the address', () => {
  const filters = { ...noFilters, q: 'blue cup', state: 'failed', to: '2026-11-23', sort: 'name' };
  const query = writeFilters(filters);
  expect(query.toString()).toBe('q=blue+cup&state=failed&to=2026-11-23&sort=name');
  expect(readFilters(query)).toEqual(filters);
});

it('leaves out what is not valid in an address', () => {
  const query = new URLSearchParams(
    'state=gone&template=Sea&favourite=yes&from=soon&to=2026-13-01&sort=newest&other=1',
  );
  query.set('q', 'x'.repeat(201));
  expect(readFilters(query)).toEqual(noFilters);
});

it('asks the API for whole days where the seller is', () => {
  const query = apiQuery({ ...noFilters, from: '2026-11-22', to: '2026-11-23' });
  expect(new Date(query.get('from')!)).toEqual(new Date(2026, 10, 22));
  expect(new Date(query.get('to')!)).toEqual(new Date(2026, 10, 24));
});

it('counts the search as a filter, but not the sort', () => {
  expect(isFiltered({ ...noFilters, sort: 'name' })).toBe(false);
  expect(isFiltered({ ...noFilters, q: 'cup' })).toBe(true);
});
