import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealApiServer } from '../../hack/real/api-server.ts';
import { program, type Mount, type PodSpec } from './pod-spec.ts';

/** The words of the containers, as gardenlet writes them into the Deployments; they name the program, so no entry point counts. */
const commands = {
  prober: [
    program,
    'prober',
    '--config-file=/etc/dependency-watchdog/config/dep-config.yaml',
    '--kube-api-qps=20.0',
    '--kube-api-burst=100',
    '--zap-log-level=INFO',
    '--enable-leader-election=true',
  ],
  weeder: [
    program,
    'weeder',
    '--config-file=/etc/dependency-watchdog/config/dep-config.yaml',
    '--enable-leader-election=true',
  ],
} as const;

/** A pod of one role, as gardenlet deploys it and a kubelet starts it. `mounts`: its configuration and its token. */
export function gardenletStarts(
  role: keyof typeof commands,
  seed: RealApiServer,
  name: string,
  mounts: readonly Mount[],
): PodSpec {
  const { hostname, port } = new URL(seed.urlForOthers);
  const address = `tcp://${hostname}:${port}`;
  const env = {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    KUBERNETES_SERVICE_PORT_HTTPS: port,
    KUBERNETES_PORT: address,
  };
  return { name, command: commands[role], env, mounts };
}

/** Gardener's configuration of a role, in a volume as a kubelet makes it of a ConfigMap. */
export function configVolume(role: keyof typeof commands, place: string): Mount {
  const text = readFileSync(join(import.meta.dirname, `../../deploy/base/${role}/dep-config.yaml`), 'utf8');
  mkdirSync(join(place, '..1'), { recursive: true });
  writeFileSync(join(place, '..1', 'dep-config.yaml'), text);
  symlinkSync('..1', join(place, '..data'));
  symlinkSync(join('..data', 'dep-config.yaml'), join(place, 'dep-config.yaml'));
  return { at: '/etc/dependency-watchdog/config', from: place };
}
