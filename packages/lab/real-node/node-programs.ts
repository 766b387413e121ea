import process from 'node:process';
import { findControlPlane } from '../control-plane/find-control-plane.ts';
import { findProgram } from '../programs/find-program.ts';

const names = [
  'kubelet',
  'kube-scheduler',
  'containerd',
  'containerd-shim-runc-v2',
  'ctr',
  'cni-bridge',
  'cni-loopback',
  'cni-host-local',
  'workload',
  'runc',
  'ip',
] as const;

/** Where the programs of a node are. */
export type NodePrograms = Readonly<Record<(typeof names)[number], string>> &
  Readonly<{
    /** The directory of etcd, kube-apiserver and kube-controller-manager. */
    controlPlane: string;
  }>;

/** Finds or builds them, one after the other: they are built of the same packages. Rejects with ProgramMissing. */
export async function findNodePrograms(
  say: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<NodePrograms> {
  const controlPlane = await findControlPlane(say, env);
  const found: [string, string][] = [];
  for (const name of names) found.push([name, await findProgram(name, { say, env })]);
  return { ...(Object.fromEntries(found) as Record<(typeof names)[number], string>), controlPlane };
}
