/** Scene templates: a click puts `<name>: ` before the description. */
export const sceneTemplates = [
  'Product on Wooden Table',
  'Minimalist White Background',
  'Outdoor Natural Lighting',
  'Studio Photography Setup',
] as const;
export type SceneTemplate = (typeof sceneTemplates)[number];

/**
 * Puts a template before a description and replaces the previous one, if any.
 * @returns `<template>: <description>`
 */
export function withTemplate(template: SceneTemplate, description: string): string {
  const present = sceneTemplates.find((name) => description.startsWith(`${name}:`));
  const rest = present ? description.slice(present.length + 1) : description;
  return `${template}: ${rest.trimStart()}`;
}
