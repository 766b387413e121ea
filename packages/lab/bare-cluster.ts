/**
 * A cluster for the provider kubeconfig, where there is neither Docker nor another one to write to: etcd, a kube-apiserver and a
 * kube-controller-manager, whose nodes and pods the scenarios play. It prints its kubeconfig's path, and runs until it is
 * interrupted.
 *
 *   npx node packages/lab/bare-cluster.ts
 *   DWD_PROVIDER=kubeconfig KUBECONFIG=PATH npm run test:kind
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endTheLiving } from './real/clearing-up.ts';
import { RealApiServer } from './real/api-server.ts';
import { startControllerManager } from './real/controller-manager.ts';
import { prepareGround } from './control-plane/prepare-ground.ts';

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
const managerFor = 'no Deployment would have pods';
const ground = await prepareGround('bare', say, { managerFor });
// With all the admission that a cluster has.
const flags = ['--disable-admission-plugins='];
const server = await RealApiServer.start(ground, 'cluster', { flags });
const fast = ['--kube-api-qps=200', '--kube-api-burst=400'];
startControllerManager(ground, 'kube-controller-manager', server, controllers, fast);
const kubeconfig = join(ground.directory, 'admin.kubeconfig');
writeFileSync(kubeconfig, server.kubeconfig('admin'));
process.stdout.write(`${kubeconfig}\n`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await endTheLiving();
process.exit(0);
