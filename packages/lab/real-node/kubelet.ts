import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeAddress, type NodeSpace } from './node-space.ts';

type Start = Readonly<{
  program: string;
  name: string;
  /** A file, by which it is the node's user. */
  kubeconfig: string;
  /** Of the container runtime. */
  socket: string;
  /** Below which its pods are. */
  cgroupRoot: string;
  /** How often it looks at a pod of which it heard nothing: `10s`. */
  syncFrequency: string | undefined;
}>;

/** Starts a kubelet in the space: as real as it is, but that only the API server's own network reaches it, so that it asks nobody who they are. */
export function startKubelet(
  space: NodeSpace,
  { program, name, kubeconfig, socket, cgroupRoot, syncFrequency = '1m' }: Start,
): ChildProcess {
  const place = (part: string) => join(space.directory, 'kubelet', part);
  mkdirSync(place('logs'), { recursive: true });
  const configuration = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot,
    syncFrequency,
    failCgroupV1: false,
    failSwapOn: false,
    makeIPTablesUtilChains: false,
    containerRuntimeEndpoint: `unix://${socket}`,
    resolvConf: '',
    podLogsDir: place('logs'),
    // The disk is the machine's, and others fill it.
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'memory.available': '50Mi' },
  };
  writeFileSync(place('config.yaml'), JSON.stringify(configuration));
  return space.start('kubelet', program, [
    `--config=${place('config.yaml')}`,
    `--kubeconfig=${kubeconfig}`,
    `--root-dir=${place('root')}`,
    `--cert-dir=${place('certificates')}`,
    `--hostname-override=${name}`,
    `--node-ip=${nodeAddress}`,
    '--v=2',
  ]);
}
