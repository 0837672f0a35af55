import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Manifest, overlays } from '#tests/support/kubernetes.ts';

/** Whether there is something to test: kustomize and Python can be had. */
export const isRendered = inject('kubernetes') !== undefined;

/** An overlay, rendered. */
export interface Overlay {
  yaml: string;
  documents: Manifest[];
  problems: string[];
  /** The only document of a kind with a name, to which kustomize may have added a hash. */
  get(kind: string, name: string): Manifest;
  all(kind: string): Manifest[];
}

export function openOverlay(name: (typeof overlays)[number]): Overlay {
  const rendered = inject('kubernetes')!.rendered[name];
  const all = (kind: string) => rendered.documents.filter((each) => each.kind === kind);
  return {
    ...rendered,
    all,
    get(kind, wanted) {
      const found = all(kind).filter(
        ({ metadata }) => metadata.name.replace(/-[a-z0-9]{10}$/, '') === wanted,
      );
      if (found.length !== 1) throw new Error(`${name} has ${found.length} of ${kind} ${wanted}`);
      return found[0]!;
    },
  };
}

interface Pods {
  name: string;
  labels: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes are checked by kubernetes-validate.
  spec: any;
}

/** The pods of every Deployment, Job and CronJob. */
export function podsOf(overlay: Overlay): Pods[] {
  return [
    ...overlay.all('Deployment').map((each) => ({ each, template: each.spec.template })),
    ...overlay.all('Job').map((each) => ({ each, template: each.spec.template })),
    ...overlay.all('CronJob').map((each) => ({ each, template: each.spec.jobTemplate.spec.template })),
  ].map(({ each, template }) => ({
    name: each.metadata.name,
    labels: template.metadata.labels,
    spec: template.spec,
  }));
}

/** The environment of a container from its ConfigMap and its Secret, as Kubernetes would set it. */
export function environmentOf(overlay: Overlay, pods: Pods): Record<string, string> {
  const dataOf = (kind: 'ConfigMap' | 'Secret', name: string) =>
    overlay.all(kind).find(({ metadata }) => metadata.name === name)!.data!;
  const { envFrom, env } = pods.spec.containers[0];
  const environment: Record<string, string> = {};
  for (const { configMapRef } of envFrom) Object.assign(environment, dataOf('ConfigMap', configMapRef.name));
  for (const { name, valueFrom } of env) {
    const { name: secret, key, optional } = valueFrom.secretKeyRef;
    const value = dataOf('Secret', secret)[key];
    if (value !== undefined) environment[name] = Buffer.from(value, 'base64').toString();
    else if (!optional) throw new Error(`${pods.name}: the secret has no ${key}`);
  }
  return environment;
}

/** What an operator replaces before the first deployment. */
export function filledIn(shipped: Record<string, string>): Record<string, string> {
  const filled = Object.entries(shipped).map(([name, value]) => [
    name,
    value.replaceAll('example.com', 'packshot.shop'),
  ]);
  const secret = () => randomBytes(32).toString('hex');
  const secrets: Record<string, string> = {
    SESSION_SECRET: secret(),
    SEALING_KEYS: secret(),
    WEBHOOK_KEYS: secret(),
    OPENAI_API_KEY: secret(),
    STRIPE_SECRET_KEY: `sk_live_${secret()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${secret()}`,
  };
  const asked = Object.entries(secrets).filter(([name]) => name in shipped);
  return { ...Object.fromEntries(filled), ...Object.fromEntries(asked) };
}
