/**
 * The scene templates, in the order in which they are shown. `id` names the files of a template's pictures, which
 * `npm run campaign -- samples` makes; `name` is what sellers read.
 */
export const templates = [
  { id: 'wooden-table', name: 'Product on Wooden Table' },
  { id: 'white-background', name: 'Minimalist White Background' },
  { id: 'outdoor', name: 'Outdoor Natural Lighting' },
  { id: 'studio', name: 'Studio Photography Setup' },
] as const;

export type TemplateId = (typeof templates)[number]['id'];
export type SceneTemplate = (typeof templates)[number]['name'];

/** A typical description for each template, and what one then sees around the product. Not above: browsers do not load it. */
export const templateSamples: Readonly<Record<TemplateId, { scene: string; shows: string }>> = {
  'wooden-table': {
    scene: 'a walnut table by a window, soft morning light, a calm warm room behind',
    shows: 'on a walnut table, a bright room out of focus behind',
  },
  'white-background': {
    scene: 'pure white, soft even light and a gentle shadow',
    shows: 'on a pure white background',
  },
  outdoor: {
    scene: 'on a stone ledge in a garden, dappled sunlight, green leaves behind',
    shows: 'on a stone ledge in a garden',
  },
  studio: {
    scene: 'a grey seamless backdrop with a large softbox from the left',
    shows: 'in front of a grey studio backdrop',
  },
};

/** Names of the templates: a click puts `<name>: ` before the description. */
export const sceneTemplates = templates.map(({ name }) => name) as [SceneTemplate, ...SceneTemplate[]];

/** @returns the template that a description begins with, undefined for none, and the rest, trimmed */
export function splitTemplate(description: string): { template: SceneTemplate | undefined; scene: string } {
  const template = sceneTemplates.find((name) => description.startsWith(`${name}:`));
  return { template, scene: (template ? description.slice(template.length + 1) : description).trim() };
}

/**
 * Puts a template before a description and replaces the previous one, if any.
 * @returns `<template>: <description>`
 */
export function withTemplate(template: SceneTemplate, description: string): string {
  const { template: present } = splitTemplate(description);
  const rest = present ? description.slice(present.length + 1) : description;
  return `${template}: ${rest.trimStart()}`;
}

/** A typical description that begins with a template. */
export function sampleScene(template: TemplateId): string {
  const { name } = templates.find(({ id }) => id === template)!;
  return withTemplate(name, templateSamples[template].scene);
}
