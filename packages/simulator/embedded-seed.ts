import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import { Agenda } from './store/agenda.ts';
import type { Authorize } from './api/access.ts';
import type { ApiServer, ApiServerOptions } from './api/api-server.ts';
import { issueCertificates, type ServingCertificates, kubeconfigText } from './api/certificates.ts';
import type { Balancer } from './api/balancer.ts';
import { LoadBalancer } from './api/load-balancer.ts';
import { type ControlPlane, ControlPlanes } from './workloads/control-plane.ts';
import { ControllerManager } from './shoot/controller-manager.ts';
import { EmbeddedApiServer } from './api/embedded-api-server.ts';
import { kinds } from './store/embedded-kinds.ts';
import { EmbeddedShoot } from './shoot/embedded-shoot.ts';
import { gardenerControlPlane, type PodGroup } from './workloads/pod-group.ts';
import { Kubelets } from './shoot/kubelets.ts';
import { newToken } from './store/names-by-chance.ts';
import { createInitialNamespaces } from './store/object-edits.ts';
import { createObject } from './store/object-writes.ts';
import { ShootDependants } from './shoot/shoot-dependants.ts';
import { clusterObject } from './shoot/shoot-objects.ts';
import { ShootPaths } from './shoot/shoot-paths.ts';
import { ShootSecrets, type SecretOfPath } from './shoot/shoot-secrets.ts';
import type { ResourceKind } from './store/resource-kind.ts';
import { runWorkloads, usualPace, type WorkloadPace } from './workloads/workload-life.ts';

export type EmbeddedSeedOptions = Readonly<{
  clock: Clock;
  /** Of everything that varies: phases, uids, tokens, jitter. */
  chance: Chance;
  config: ProberConfig;
  /** How many, or their names. */
  shoots: number | readonly ShootNamespace[];
  /** In each shoot. */
  nodes: number;
  pace?: WorkloadPace;
  /** Replicas of a dependant in a shoot, undefined where it is missing; 1 unless given. */
  replicas?: (shoot: ShootNamespace, dependant: string) => number | undefined;
  /** Kinds beside the usual ones, scalable or not. */
  moreKinds?: readonly ResourceKind[];
  /** What is permitted in the seed; `user` is the name given to `addUser`. */
  authorize?: Authorize;
  /** All shoots use one certificate of one authority: that saves 8 ms for each. */
  sharedCertificates?: boolean;
}>;

/** The dependant whose pods mark nodes. */
const controllerManagerName = 'kube-controller-manager';

/** The way in which the API servers of a seed and its shoots are reached. */
export type Serve<Api extends ApiServer> = Readonly<{
  server(options: ApiServerOptions): Api;
  certificates(owner: string): Promise<ServingCertificates>;
  /** To a server that is up: its address is known then. */
  balancer(target: Api): Balancer;
}>;

const onLoopback: Serve<EmbeddedApiServer> = {
  server: (options) => new EmbeddedApiServer(options),
  certificates: issueCertificates,
  balancer: ({ url, agenda }) => new LoadBalancer({ target: Number(new URL(url).port), agenda }),
};

/** A seed and its shoots, alive. */
export class EmbeddedSeed<Api extends ApiServer = EmbeddedApiServer> {
  /** The seed's API server: requests, connections, watches, store, every fault. */
  readonly api: Api;
  /** Of an administrator, as YAML. */
  readonly kubeconfig: string;
  readonly #options: EmbeddedSeedOptions;
  readonly #serve: Serve<Api>;
  readonly #shoots = new Map<ShootNamespace, EmbeddedShoot<Api>>();
  readonly #certificates = new Map<ShootNamespace, Promise<ServingCertificates>>();
  readonly #controlPlanes: ControlPlanes;
  #shared: Promise<ServingCertificates> | undefined;

  constructor(options: EmbeddedSeedOptions, api: Api, serve: Serve<Api>) {
    this.#options = options;
    this.#serve = serve;
    this.api = api;
    createInitialNamespaces(api.storage, ['garden']);
    this.kubeconfig = this.addUser('admin');
    this.#controlPlanes = new ControlPlanes(api.storage, api.agenda);
    for (const kind of kindsOf(options))
      if (kind.scale !== undefined) runWorkloads(api.storage, api.agenda, kind, options.pace ?? usualPace);
  }

  get shoots(): readonly EmbeddedShoot<Api>[] {
    return [...this.#shoots.values()];
  }

  /** Throws where there is no shoot of that name. */
  shoot(name: ShootNamespace): EmbeddedShoot<Api> {
    const shoot = this.#shoots.get(name);
    if (shoot === undefined) throw new Error(`the seed has no shoot ${name}`);
    return shoot;
  }

  get controlPlanes(): readonly ControlPlane[] {
    return this.#controlPlanes.all;
  }

  /** Adds the pods of a control plane, all of them ready, in a shoot's namespace or in one of its own. Gardener's unless given. */
  addControlPlane(namespace: string, groups: readonly PodGroup[] = gardenerControlPlane): ControlPlane {
    return this.#controlPlanes.add(namespace, groups);
  }

  /** With all its pods and EndpointSlices, at once. */
  removeControlPlane(namespace: string): void {
    this.#controlPlanes.remove(namespace);
  }

  /** Gives a user a token of its own, and answers its kubeconfig. */
  addUser(user: string): string {
    return kubeconfigText({ name: 'embedded-seed', ...this.admit(user) });
  }

  /** The same for a client in this process. */
  admit(user: string): Readonly<{ server: string; ca: string; token: string }> {
    const token = newToken(this.#options.chance);
    this.api.tokens.set(token, user);
    return { server: this.api.url, ca: this.api.certificates.ca, token };
  }

  /** Adds a shoot with everything that belongs to it, running. */
  async addShoot(name: ShootNamespace, nodes: number = this.#options.nodes): Promise<EmbeddedShoot<Api>> {
    const { config, chance, replicas = () => 1 } = this.#options;
    const { storage } = this.api;
    const api = this.#serve.server({
      agenda: this.api.agenda,
      chance,
      certificates: await this.prepare(name),
      kinds: Object.values<ResourceKind>(kinds),
      // There are very many shoots, and each probe sends two requests to one.
      keptRequests: 1_000,
    });
    await api.up();
    createObject(storage, kinds.namespace, { metadata: { name } });
    const dependants = new ShootDependants(
      name,
      this.api,
      config.dependants.map(({ ref }) => ref),
    );
    for (const dependant of dependants.names) {
      const count = replicas(name, dependant);
      if (count !== undefined) dependants.add(dependant, count);
    }
    const balancer = (): Balancer => this.#serve.balancer(api);
    const paths = hasTwoPaths(config) ? new ShootPaths({ internal: balancer(), external: balancer() }) : undefined;
    await paths?.up();
    const kubelets = new Kubelets(api, paths);
    const isScaled = dependants.names.includes(controllerManagerName);
    const controllerManager = new ControllerManager({
      shoot: api.storage,
      agenda: this.api.agenda,
      grace: config.kcmNodeMonitorGraceDuration,
      // Without its API server it loses its lead, exits, and starts again. Where it is no dependant, it always runs.
      isRunning: () => kubelets.reachable && (!isScaled || (dependants.get(controllerManagerName)?.ready ?? 0) > 0),
    });
    const secrets = new ShootSecrets({ shoot: name, seed: storage, api, secrets: secretsOf(config, api, paths) });
    const shoot = new EmbeddedShoot({
      name,
      api,
      seed: storage,
      dependants,
      kubelets,
      controllerManager,
      secrets,
      ...(paths && { paths }),
    });
    this.#shoots.set(name, shoot);
    shoot.addNodes(nodes);
    shoot.rotateSecret();
    createObject(storage, kinds.cluster, clusterObject(name));
    return shoot;
  }

  /** Ends the shoot and removes everything that the seed has of it. */
  async removeShoot(name: ShootNamespace): Promise<void> {
    const shoot = this.shoot(name);
    shoot.delete();
    await shoot.stop();
    shoot.removeSecret();
    for (const dependant of shoot.dependants.names) shoot.dependants.remove(dependant);
    this.removeControlPlane(name);
    this.api.storage.store.of(kinds.namespace).remove(name);
    this.#shoots.delete(name);
    this.#certificates.delete(name);
  }

  /** Ends everything; no timer and no socket is left. */
  async stop(): Promise<void> {
    await Promise.all([this.api.down(), ...this.shoots.map((shoot) => shoot.stop())]);
    this.api.agenda.stop();
  }

  /** Makes the certificates of a shoot that is to come. */
  prepare(name: ShootNamespace): Promise<ServingCertificates> {
    if (this.#options.sharedCertificates === true) return (this.#shared ??= this.#serve.certificates('shoots'));
    const made = this.#certificates.get(name) ?? this.#serve.certificates(name);
    this.#certificates.set(name, made);
    return made;
  }
}

/** Starts a seed with its shoots on loopback: clusters, secrets, dependants, machines, nodes, leases. */
export async function startEmbeddedSeed(options: EmbeddedSeedOptions): Promise<EmbeddedSeed> {
  return startSeed(options, onLoopback);
}

/** Starts a seed whose API servers are reached in the given way. */
export async function startSeed<Api extends ApiServer>(
  options: EmbeddedSeedOptions,
  serve: Serve<Api>,
): Promise<EmbeddedSeed<Api>> {
  const api = serve.server({
    agenda: new Agenda(options.clock),
    chance: options.chance,
    certificates: await serve.certificates('embedded-seed'),
    kinds: kindsOf(options),
    ...(options.authorize === undefined ? {} : { authorize: options.authorize }),
  });
  await api.up();
  const seed = new EmbeddedSeed(options, api, serve);
  const names = namesOf(options.shoots);
  // The crypto library makes keys in threads of its own, so making them in parallel halves the wait.
  await Promise.all(names.map((name) => seed.prepare(name)));
  for (const name of names) await seed.addShoot(name);
  return seed;
}

function secretsOf(config: ProberConfig, { url }: ApiServer, paths?: ShootPaths): readonly SecretOfPath[] {
  if (!hasTwoPaths(config) || paths === undefined)
    return [{ path: 'internal', name: config.kubeConfigSecretName ?? '', url }];
  return [
    { path: 'internal', name: config.internalKubeConfigSecretName, url: paths.internal.url },
    { path: 'external', name: config.externalKubeConfigSecretName, url: paths.external.url },
  ];
}

function kindsOf({ moreKinds = [] }: EmbeddedSeedOptions): readonly ResourceKind[] {
  return [...Object.values<ResourceKind>(kinds), ...moreKinds];
}

function namesOf(shoots: number | readonly ShootNamespace[]): readonly ShootNamespace[] {
  if (typeof shoots !== 'number') return shoots;
  const width = Math.max(2, String(shoots).length);
  return Array.from({ length: shoots }, (_, index) => `shoot--demo--${String(index + 1).padStart(width, '0')}`);
}
