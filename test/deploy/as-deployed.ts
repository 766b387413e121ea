import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { RealApiServer } from '@dwd/lab/real/api-server.ts';
import { Program } from '@dwd/testing/program.ts';
import type { BareSeed } from './bare-seed.ts';
import type { Manifest } from './render.ts';

export type Role = 'prober' | 'weeder';

type Probe = Readonly<{ httpGet: Readonly<{ path: string; port: string }> }>;
type Named = Readonly<{ name: string }>;

/** A Deployment, as far as a kubelet reads it to start its container. */
type Deployment = Manifest &
  Readonly<{
    spec: Readonly<{
      template: Readonly<{
        spec: Readonly<{
          serviceAccountName: string;
          containers: readonly Readonly<{
            command: readonly string[];
            ports: readonly (Named & Readonly<{ containerPort: number }>)[];
            livenessProbe: Probe;
            readinessProbe: Probe;
            volumeMounts: readonly (Named & Readonly<{ mountPath: string }>)[];
          }>[];
          volumes: readonly (Named &
            Readonly<{
              configMap?: Named;
              projected?: Readonly<{
                sources: readonly Readonly<{ serviceAccountToken?: Readonly<{ expirationSeconds: number }> }>[];
              }>;
            }>)[];
        }>;
      }>;
    }>;
  }>;

type ConfigMap = Manifest & Readonly<{ data: Readonly<Record<string, string>> }>;

/** Where a kubelet would start a pod: the seed, and a directory that is the pod's root. */
export type Place = Readonly<{ seed: BareSeed; root: string }>;

export function deploymentOf(manifests: readonly Manifest[], role: Role): Deployment {
  const found = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(role));
  if (found === undefined) throw new Error(`no Deployment of the ${role}`);
  return found as Deployment;
}

export function containerOf({ spec }: Deployment) {
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error('no container');
  return container;
}

/** Puts a pod's volumes where this process may write, as a kubelet puts them below /. */
function placeVolumes(manifests: readonly Manifest[], deployment: Deployment, root: string): void {
  const { volumes } = deployment.spec.template.spec;
  for (const { name, mountPath } of containerOf(deployment).volumeMounts) {
    mkdirSync(join(root, mountPath), { recursive: true });
    const wanted = volumes.find((volume) => volume.name === name)?.configMap?.name;
    const configMap = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === wanted);
    for (const [file, text] of Object.entries((configMap as ConfigMap | undefined)?.data ?? {}))
      writeFileSync(join(root, mountPath, file), text);
  }
}

/** A token of an account, for so long as is asked. */
export async function tokenOf(
  api: RealApiServer,
  account: Readonly<{ namespace: string | undefined; name: string }>,
  spec: Readonly<{ expirationSeconds: number }> = { expirationSeconds: 3_600 },
): Promise<string> {
  const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`;
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const { status } = (await api.call('POST', path, asked)).body as { status: { token: string } };
  return status.token;
}

/** A kubeconfig by the token that the pod's volume asks for. */
async function kubeconfigFor({ spec, metadata }: Deployment, { seed, root }: Place): Promise<string> {
  const { serviceAccountName: name, volumes } = spec.template.spec;
  const [source] = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  const account = { namespace: metadata.namespace, name };
  const files = { tokenFile: join(root, 'token'), authority: join(root, 'ca.crt') };
  writeFileSync(files.tokenFile, await tokenOf(seed.api, account, source?.serviceAccountToken));
  writeFileSync(files.authority, seed.api.reach.ca);
  const path = join(root, 'kubeconfig');
  const cluster = { server: seed.api.url, 'certificate-authority': files.authority };
  const kubeconfig = {
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster }],
    users: [{ name, user: { tokenFile: files.tokenFile } }],
  };
  writeFileSync(path, JSON.stringify(kubeconfig));
  return path;
}

/** Starts the program as its Deployment says, but for where its files are, its ports, and how it finds the seed. */
export async function startedAsDeployed(
  test: TestContext,
  manifests: readonly Manifest[],
  role: Role,
  place: Place,
): Promise<Program> {
  const deployment = deploymentOf(manifests, role);
  placeVolumes(manifests, deployment, place.root);
  const [executable, ...args] = containerOf(deployment).command;
  if (executable !== '/usr/local/bin/dependency-watchdog') throw new Error(`the image has no ${executable}`);
  return new Program(test, [
    ...args.map((arg) => arg.replace(/=(\/(?:etc|var)\/)/, `=${place.root}$1`)),
    `--kubeconfig=${await kubeconfigFor(deployment, place)}`,
    ...['metrics', 'health'].map((what) => `--${what}-bind-addr=127.0.0.1:0`),
    '--inspector-bind-addr=0',
  ]);
}
