export * from './accounts.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './generations.ts';
export * from './limits.ts';
export * from './paths.ts';
export * from './plans.ts';
export * from './templates.ts';
