/**
 * A cluster for the provider kubeconfig, where there is neither Docker nor another one to write to: etcd, a kube-apiserver and a
 * kube-controller-manager, whose nodes and pods the scenarios play. It prints its kubeconfig's path, and runs until it is
 * interrupted.
 *
 *   npx node hack/bare-cluster.ts
 *   DWD_PROVIDER=kubeconfig KUBECONFIG=PATH npm run test:kind
 */
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findControlPlane } from './control-plane/find-control-plane.ts';
import { endTheLiving, isRemovedAfterUs } from './real/clearing-up.ts';
import { RealApiServer } from './real/api-server.ts';
import { startControllerManager } from './real/controller-manager.ts';
import { startEtcd } from './real/etcd.ts';

/** The controllers of a kind cluster that can matter here. */
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'endpointslice-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'garbage-collector-controller',
  'pod-garbage-collector-controller',
  'node-lifecycle-controller',
];

const say = (line: string) => process.stderr.write(`${line}\n`);
const { directory: bin, hasControllerManager, from } = await findControlPlane(say);
if (!hasControllerManager)
  throw new Error(`There is no kube-controller-manager in ${bin} (${from}); unset KUBEBUILDER_ASSETS.`);

const directory = mkdtempSync(join(tmpdir(), 'dwd-bare-'));
isRemovedAfterUs(directory);
const etcd = await startEtcd(bin, directory);
// With all the admission that a cluster has.
const flags = ['--disable-admission-plugins='];
const server = await RealApiServer.start(bin, directory, 'cluster', etcd, [], { flags });
const fast = ['--kube-api-qps=200', '--kube-api-burst=400'];
startControllerManager(bin, directory, 'kube-controller-manager', server, controllers, fast);
const kubeconfig = join(directory, 'admin.kubeconfig');
writeFileSync(kubeconfig, server.kubeconfig('admin'));
process.stdout.write(`${kubeconfig}\n`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await endTheLiving();
process.exit(0);
