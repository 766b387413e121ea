import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { grantingsOf } from '@dwd/testing/gardener-rbac.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';

/** The shortest that a kubelet takes; it renews the token a fifth of that before its end. */
const tokenLives = 600;

/** Of gardenlet's Deployments. */
export const memoryLimit = '512Mi';

/** What `deploy/base` has of a role, with the memory limit of gardenlet's Deployment. */
export function asShipped(role: RoleName, image: string): readonly KubernetesObject[] {
  const deployment = parse(fileOf(role, 'deployment.yaml')) as V1Deployment;
  const spec = deployment.spec!.template.spec!;
  const [container] = spec.containers;
  container!.image = image;
  container!.resources!.limits = { memory: memoryLimit };
  const [token] = spec.volumes!.flatMap(({ projected }) => projected?.sources ?? []);
  token!.serviceAccountToken!.expirationSeconds = tokenLives;
  const metadata = { name: `dependency-watchdog-${role}-config`, namespace: 'garden' };
  const data = { 'dep-config.yaml': fileOf(role, 'dep-config.yaml') };
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const budget = parse(fileOf(role, 'disruption-budget.yaml')) as KubernetesObject;
  return [...grantingsOf(`base/${role}/rbac.yaml`), config, budget, deployment];
}

const fileOf = (role: RoleName, file: string): string =>
  readFileSync(join(import.meta.dirname, `../../../../deploy/base/${role}/${file}`), 'utf8');
