import type { ServerResponse } from 'node:http';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { ControllerManager, NodeMark } from './controller-manager.ts';
import { editObject } from '../store/object-edits.ts';
import type { ApiServer } from '../api/api-server.ts';
import type { EmbeddedApiServer } from '../api/embedded-api-server.ts';
import { kinds } from '../store/embedded-kinds.ts';
import type { JsonObject } from '../store/kube-object.ts';
import type { Kubelets } from './kubelets.ts';
import { readinessOf, machineObject, nodeObject, workerPool, zoneNames } from './shoot-objects.ts';
import { createObject, type Storage } from '../store/object-writes.ts';
import type { ShootPaths } from './shoot-paths.ts';
import type { ShootSecrets } from './shoot-secrets.ts';
import type { ShootDependants } from './shoot-dependants.ts';
import type { SeenRequest } from '../api/request-log.ts';
import type { Affects } from '../api/faults.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';

export type EmbeddedShootParts<Api extends ApiServer> = Readonly<{
  name: ShootNamespace;
  api: Api;
  seed: Storage;
  dependants: ShootDependants;
  kubelets: Kubelets;
  controllerManager: ControllerManager;
  secrets: ShootSecrets;
  /** In the older generation alone (SPEC 2.2). */
  paths?: ShootPaths;
}>;

/**
 * One shoot: its API server, its nodes, what the seed keeps of it, and the levers on all of them. The file is long because
 * the interface is flat: a story reads as sentences, `shoot.cutOff()`, `shoot.hibernate()`.
 */
export class EmbeddedShoot<Api extends ApiServer = EmbeddedApiServer> {
  readonly name: ShootNamespace;
  /** The shoot's own API server: requests, connections, store, every fault. */
  readonly api: Api;
  /** What the watchdog scales, and what an operator may do with it. */
  readonly dependants: ShootDependants;
  readonly kubelets: Kubelets;
  readonly #seed: Storage;
  readonly #controllerManager: ControllerManager;
  readonly #secrets: ShootSecrets;
  readonly #paths: ShootPaths | undefined;
  #nodesMade = 0;
  /** Asked each second, and nodes change seldom. */
  #unknownNodes: readonly string[] | undefined;

  constructor(parts: EmbeddedShootParts<Api>) {
    this.name = parts.name;
    this.api = parts.api;
    this.dependants = parts.dependants;
    this.#seed = parts.seed;
    this.kubelets = parts.kubelets;
    this.#controllerManager = parts.controllerManager;
    this.#secrets = parts.secrets;
    this.#paths = parts.paths;
    this.api.storage.store.of(kinds.node).onChange(() => (this.#unknownNodes = undefined));
  }

  get nodes(): readonly string[] {
    return this.kubelets.nodes;
  }

  /** Nodes that the shoot's kube-controller-manager marked Unknown, each time it did, oldest first. */
  get marks(): readonly NodeMark[] {
    return this.#controllerManager.marks;
  }

  get unknownNodes(): readonly string[] {
    this.#unknownNodes ??= this.nodes.filter((node) => readinessOf(this.api.storage, node) === 'Unknown');
    return this.#unknownNodes;
  }

  addNodes(count: number): void {
    const { storage } = this.api;
    for (let made = 0; made < count; made += 1) {
      const zone = zoneNames[this.#nodesMade % zoneNames.length];
      const node = `node-${String((this.#nodesMade += 1)).padStart(3, '0')}`;
      createObject(storage, kinds.node, nodeObject(node, storage.clock.now(), zone));
      createObject(this.#seed, kinds.machine, machineObject(this.name, node));
      this.kubelets.start(node);
    }
  }

  /** Merges into a node, its status included: conditions, annotations, labels. */
  editNode(node: string, patch: JsonObject): void {
    editObject(this.api.storage, kinds.node, node, patch);
  }

  /** Merges into the lease of a node. Unless the node is cut off, the next renewal overwrites it. */
  editLease(node: string, patch: JsonObject): void {
    editObject(this.api.storage, kinds.lease, `kube-node-lease/${node}`, patch);
  }

  /** Merges into the Machine of a node, its status included: `{status: {currentStatus: {phase: 'Failed'}}}`. */
  editMachine(node: string, patch: JsonObject): void {
    editObject(this.#seed, kinds.machine, this.#machineKey(node), patch);
  }

  removeMachine(node: string): void {
    this.#seed.store.of(kinds.machine).remove(this.#machineKey(node));
  }

  /** With its lease and its Machine. */
  removeNode(node: string): void {
    this.kubelets.stop(node);
    this.api.storage.store.of(kinds.node).remove(node);
    this.removeMachine(node);
  }

  /** Kubelets no longer reach the API server: all of them, a fraction (rounded up), or those named. */
  cutOff(which: number | readonly string[] = 1): void {
    this.kubelets.cutOff(typeof which === 'number' ? this.nodes.slice(0, Math.ceil(which * this.nodes.length)) : which);
  }

  /** They reach it again, and renew within 10 s. */
  heal(nodes?: readonly string[]): void {
    this.kubelets.heal(nodes);
  }

  /** The ways to the API server, each with its levers; throws where leases are probed, since there is one way then. */
  get paths(): ShootPaths {
    if (this.#paths === undefined) throw new Error(`${this.name} is of the generation that has one path`);
    return this.#paths;
  }

  /** Connections are refused, to the kubelets too. */
  async down(): Promise<void> {
    this.kubelets.reachable = false;
    await this.api.down();
  }

  /** Connections are refused to the watchdog, while the kubelets reach it by another way. */
  async unreachable(): Promise<void> {
    await this.api.down();
  }

  /** Accepts and never answers, kubelets neither. */
  hang(at: 'handshake' | 'answer' = 'answer', affects?: Affects): void {
    if (affects === undefined) this.kubelets.reachable = false;
    this.api.setFault({ kind: 'hang', at }, affects);
  }

  /** null: without Retry-After. */
  throttle(retryAfterSeconds: number | null = 1, affects?: Affects): void {
    this.api.setFault({ kind: 'throttle', retryAfterSeconds }, affects);
  }

  garble(as: 'text' | 'json' | 'bytes' = 'text', affects?: Affects): void {
    this.api.setFault({ kind: 'garble', as }, affects);
  }

  flood(as: 'items' | 'pages' | 'drip' = 'items', affects?: Affects): void {
    this.api.setFault({ kind: 'flood', as }, affects);
  }

  /** Says what a hostile server would, in place of its answers to these requests. */
  says(say: (request: SeenRequest, response: ServerResponse) => void, affects?: Affects): void {
    this.api.setFault({ kind: 'said', say }, affects);
  }

  /** Ends every fault of the API server. */
  async up(): Promise<void> {
    this.kubelets.reachable = true;
    this.api.clearFault();
    await this.api.up();
  }

  /** Merges into the Cluster's `spec.shoot`; null removes. */
  editShoot(patch: JsonObject): void {
    editObject(this.#seed, kinds.cluster, this.name, { spec: { shoot: patch } });
  }

  hibernate(): void {
    this.editShoot({ spec: { hibernation: { enabled: true } }, status: { hibernated: true } });
  }

  wake(): void {
    this.editShoot({ spec: { hibernation: { enabled: false } }, status: { hibernated: false } });
  }

  lastOperation(type: string, state: string): void {
    this.editShoot({ status: { lastOperation: { type, state } } });
  }

  migrate(): void {
    this.lastOperation('Migrate', 'Processing');
  }

  /** Its migration, or creation, is over. */
  reconcile(): void {
    this.lastOperation('Reconcile', 'Succeeded');
  }

  markDeleted(): void {
    this.editShoot({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
  }

  makeWorkerless(): void {
    this.editShoot({ spec: { provider: { workers: [] } } });
  }

  giveWorkers(): void {
    this.editShoot({ spec: { provider: { workers: [workerPool] } } });
  }

  /** Sets the shoot's own grace (`1m0s`), for its controller-manager as well; needs its length in milliseconds beside its text. */
  setGrace(text: string, grace: Millis): void {
    this.editShoot({ spec: { kubernetes: { kubeControllerManager: { nodeMonitorGracePeriod: text } } } });
    this.#controllerManager.grace = grace;
  }

  /** Puts something that is no Shoot into the Cluster (SPEC 3.4). */
  makeUnreadable(): void {
    this.editShoot({ spec: 'none', status: [] });
  }

  /** The Cluster goes; the rest of the shoot stays as it is. */
  delete(): void {
    this.#seed.store.of(kinds.cluster).remove(this.name);
  }

  /** A new token in the Secret, or in both of them unless a path is given; the old one is refused from now on. */
  rotateSecret(path?: ShootPath): void {
    this.#secrets.rotate(path);
  }

  /** Puts any text in the place of the kubeconfig. */
  writeSecret(kubeconfig: string, path?: ShootPath): void {
    this.#secrets.write(kubeconfig, path);
  }

  removeSecret(path?: ShootPath): void {
    this.#secrets.remove(path);
  }

  async stop(): Promise<void> {
    this.#controllerManager.stop();
    for (const node of this.nodes) this.removeNode(node);
    await this.#paths?.stop();
    await this.api.down();
  }

  #machineKey(node: string): string {
    return `${this.name}/${this.name}-${node}`;
  }
}
