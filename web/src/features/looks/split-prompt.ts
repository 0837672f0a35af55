import { type SceneTemplate, sceneTemplates } from '#contract';

/** The template that a description starts with, null for none, and the rest. */
export function splitPrompt(prompt: string): { template: SceneTemplate | null; scene: string } {
  const template = sceneTemplates.find((name) => prompt.startsWith(`${name}:`)) ?? null;
  return { template, scene: (template ? prompt.slice(template.length + 1) : prompt).trim() };
}
