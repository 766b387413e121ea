import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { RealApiServer } from '../../real/api-server.ts';
import { isRemovedAfterUs } from '../../real/clearing-up.ts';
import { seedUser, weederUser } from '@dwd/testing/gardener-rbac.ts';
import { Program, roleWords } from '@dwd/testing/program.ts';

const directory = mkdtempSync(join(tmpdir(), 'dwd-started-'));
isRemovedAfterUs(directory);
let count = 0;

/** A file with this text, which goes with this process. */
export function fileOf(name: string, text: string): string {
  const path = join(directory, `${++count}-${name}`);
  writeFileSync(path, text);
  return path;
}

export const gardenersRates = ['--kube-api-qps=20', '--kube-api-burst=100'] as const;

/** The prober's, with delays that fit into a test; `initialDelay` is the machine-controller-manager's on the way up. */
export function proberConfig(initialDelay = '200ms'): string {
  return `
kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 500ms
initialDelay: 0s
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}
  scaleUp: {level: 1, initialDelay: ${initialDelay}}
  scaleDown: {level: 0}
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 1}
`;
}

/** Starts a role on a seed as Gardener's user for it. `server`: another address of the seed. */
export function started(
  test: Pick<TestContext, 'onTestFinished'>,
  role: 'prober' | 'weeder',
  seed: RealApiServer,
  { config, server, flags = [] }: Readonly<{ config: string; server?: string; flags?: readonly string[] }>,
): Program {
  const kubeconfig = seed.kubeconfig(role === 'prober' ? seedUser : weederUser, server);
  const files = { configFile: fileOf('config.yaml', config), kubeconfig: fileOf('kubeconfig', kubeconfig) };
  return new Program(test, roleWords(role, files, ['--inspector-bind-addr=0', ...flags]));
}
