/** The routes of programs, and the scope that each asks for. */
import { type ApiScope, v1ExportPaths, v1LibraryPaths, v1Paths, v1UsagePath } from '#contract';

export const scopeOfRoute: Readonly<Record<string, ApiScope>> = {
  [`POST ${v1Paths.generations}`]: 'generations:write',
  [`GET ${v1Paths.generations}`]: 'generations:read',
  [`GET ${v1Paths.generation(':id')}`]: 'generations:read',
  [`POST ${v1Paths.cancel(':id')}`]: 'generations:write',
  [`POST ${v1Paths.change(':id')}`]: 'generations:write',
  [`POST ${v1Paths.remake(':id')}`]: 'generations:write',
  [`GET ${v1Paths.set(':id')}`]: 'generations:read',
  [`GET ${v1Paths.image(':id')}`]: 'generations:read',
  [`GET ${v1ExportPaths.presets}`]: 'exports:read',
  [`GET ${v1ExportPaths.file(':id', ':preset')}`]: 'exports:read',
  [`GET ${v1ExportPaths.check(':id', ':preset')}`]: 'exports:read',
  [`GET ${v1ExportPaths.zip}`]: 'exports:read',
  [`PATCH ${v1Paths.generation(':id')}`]: 'library:write',
  [`DELETE ${v1Paths.generation(':id')}`]: 'library:write',
  [`POST ${v1LibraryPaths.restore(':id')}`]: 'library:write',
  [`GET ${v1LibraryPaths.projects}`]: 'generations:read',
  [`POST ${v1LibraryPaths.projects}`]: 'library:write',
  [`GET ${v1LibraryPaths.looks}`]: 'generations:read',
  [`GET ${v1UsagePath}`]: 'usage:read',
  [`GET ${v1Paths.balance}`]: 'usage:read',
};
