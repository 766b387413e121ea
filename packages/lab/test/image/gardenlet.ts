import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, configFileOf } from '../../gardener/command-of.ts';
import type { RealApiServer } from '../../real/api-server.ts';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Mount, PodSpec } from './pod-spec.ts';

/** A pod of one role, as gardenlet deploys it and a kubelet starts it. `mounts`: its configuration and its token. */
export function gardenletStarts(role: RoleName, seed: RealApiServer, name: string, mounts: readonly Mount[]): PodSpec {
  const { hostname, port } = new URL(seed.urlForOthers);
  const address = `tcp://${hostname}:${port}`;
  const env = {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    KUBERNETES_SERVICE_PORT_HTTPS: port,
    KUBERNETES_PORT: address,
  };
  return { name, command: commandOf(role), env, mounts };
}

/** Gardener's configuration of a role, in a volume as a kubelet makes it of a ConfigMap. */
export function configVolume(role: RoleName, place: string): Mount {
  const { name, text } = configFileOf(role);
  mkdirSync(join(place, '..1'), { recursive: true });
  writeFileSync(join(place, '..1', name), text);
  symlinkSync('..1', join(place, '..data'));
  symlinkSync(join('..data', name), join(place, name));
  return { at: '/etc/dependency-watchdog/config', from: place };
}
