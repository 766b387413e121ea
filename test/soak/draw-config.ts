import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RoleName } from '../../src/commands/role/role.ts';
import type { Chance } from '../../src/effects/ports.ts';
import { between, chanceOf, oneOf, strikes } from './chance-of.ts';

export function deployedConfig(role: RoleName): string {
  return readFileSync(join(import.meta.dirname, `../../deploy/base/${role}/dep-config.yaml`), 'utf8');
}

/** As gardenlet writes it, but probing three times as often, so that more happens in an hour. */
const gardener = deployedConfig('prober').replace('probeInterval: 30s', 'probeInterval: 10s');

const names = ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler'];

export type DrawnConfig = Readonly<{ yaml: string; twoPaths: boolean }>;

/** The prober's configuration in a life: half of them have Gardener's, the others what an operator may choose, in either generation. */
export function drawProberConfig(number: number): DrawnConfig {
  const chance = chanceOf(number, 'configuration');
  if (strikes(chance, 0.5)) return { yaml: gardener, twoPaths: false };
  const twoPaths = strikes(chance, 0.4);
  return { yaml: (twoPaths ? pathsYaml(chance) : leasesYaml(chance)) + dependantsYaml(chance), twoPaths };
}

function leasesYaml(chance: Chance): string {
  const failureThreshold = oneOf(chance, [1, 1, 2]);
  return `kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: ${oneOf(chance, [5, 10, 15, 30])}s
initialDelay: ${oneOf(chance, [1, 5, 30])}s
kcmNodeMonitorGraceDuration: ${oneOf(chance, [40, 60, 120])}s
nodeLeaseFailureFraction: ${oneOf(chance, ['0.3', '0.6', '0.6', '1'])}
failureThreshold: ${failureThreshold}
successThreshold: ${oneOf(chance, [1, 1, 2])}
`;
}

function pathsYaml(chance: Chance): string {
  return `internalKubeConfigSecretName: dwd-internal-probe
externalKubeConfigSecretName: dwd-external-probe
probeInterval: ${oneOf(chance, [5, 10, 20])}s
initialDelay: ${oneOf(chance, [1, 5])}s
failureThreshold: ${oneOf(chance, [1, 2, 3])}
successThreshold: ${oneOf(chance, [1, 2])}
internalProbeFailureBackOffDuration: ${oneOf(chance, [10, 30])}s
`;
}

/** One to all of Gardener's, and now and then a StatefulSet, a custom resource, and one that is missing. */
function dependantsYaml(chance: Chance): string {
  const all = [
    ...names.slice(0, between(chance, 1, names.length)).map((name) => ['apps/v1', 'Deployment', name, 'false']),
    ...(strikes(chance, 0.3) ? [['apps/v1', 'StatefulSet', 'machine-store', 'false']] : []),
    ...(strikes(chance, 0.3) ? [['example.org/v1', 'Widget', 'widget', 'false']] : []),
    ...(strikes(chance, 0.3) ? [['apps/v1', 'Deployment', 'missing-controller', 'true']] : []),
  ];
  const side = (delays: readonly number[]): string =>
    `{level: ${between(chance, 0, 2)}, initialDelay: ${oneOf(chance, delays)}s}`;
  const rows = all.map(
    ([apiVersion, kind, name, optional]) =>
      `- {ref: {apiVersion: ${apiVersion}, kind: ${kind}, name: ${name}}, optional: ${optional}, ` +
      `scaleUp: ${side([0, 0, 5, 30])}, scaleDown: ${side([0, 0, 0, 5])}}\n`,
  );
  return `dependentResourceInfos:\n${rows.join('')}`;
}
