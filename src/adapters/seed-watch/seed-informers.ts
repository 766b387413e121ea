import { textAt } from '../../domain/value-at.ts';
import { clusterParts, readCluster } from '../../domain/prober/cluster-reading.ts';
import type { Dependant } from '../../domain/prober/dependant.ts';
import { secretNames, type ProberConfig } from '../../domain/prober/prober-config.ts';
import { readResource, resourceParts, type ResourceView } from '../../domain/prober/resource-view.ts';
import { appsPlural, clustersPath } from '../kube/paths.ts';
import { SeedHistory } from '../reflector/seed-history.ts';
import { Informer } from '../reflector/informer.ts';
import type { StreamPorts } from '../reflector/stream-item.ts';

/**
 * Characters of base64. Gardener's kubeconfig has 4,000, with five authorities 14,000. A longer one is not stored, since
 * thousands of them are in memory at once.
 */
const longest = 175_000;

/** The key `kubeconfig` of a shoot's Secret, decoded; undefined where it is missing, empty, or too long. It must never be logged (SPEC 4.1). */
function readKubeconfigSecret(secret: unknown): string | undefined {
  const encoded = textAt(secret, 'data', 'kubeconfig');
  if (encoded === '' || encoded.length > longest) return undefined;
  return Buffer.from(encoded, 'base64').toString('utf8');
}

export type SeedWatchOptions = StreamPorts & Readonly<{ config: ProberConfig }>;

export type WatchedDependant<Value = ResourceView> = Readonly<{ dependant: Dependant; informer: Informer<Value> }>;

/**
 * Objects that one stream stores: four times those of the largest seed that we expect. A Cluster or a resource takes some hundred
 * bytes, a kubeconfig 3 KB. An object without a Cluster is stored too, since its Cluster may come later.
 */
const mostObjects = 20_000;

// A Cluster contains the whole cloud profile, 100 to 300 KB. A page must come within its time, and not weigh on the API server. Nor may pages be
// small: each takes one of the few requests that we may send at the start, and comes after the one before. The other objects have some KB.
const clusterPage = 100;
const usualPage = 500;

const secretParts: ReadonlySet<string> = new Set(['metadata', 'data']);

/** One informer for the Clusters, and one for each name that we need. The seed sends us nothing else. */
export function seedInformers(given: SeedWatchOptions) {
  const options = { ...given, history: given.history ?? new SeedHistory() };
  return {
    ...scaledInformers(options, { keeps: resourceParts, project: readResource }),
    /** By the name of the Secret. */
    secrets: new Map(
      secretNames(options.config).map((name) => [
        name,
        new Informer({ ...ofOneName(options, secretsPath, name), keeps: secretParts, project: readKubeconfigSecret }),
      ]),
    ),
  };
}

/** What is read of an object, and what is made of it to be stored. */
type Projection<Value> = Readonly<{ keeps: ReadonlySet<string>; project: (object: unknown) => Value }>;

/** The same without the Secrets; of each dependant is stored what `ofDependant` makes of it. */
export function scaledInformers<Value>(given: SeedWatchOptions, ofDependant: Projection<Value>) {
  const options = { ...given, history: given.history ?? new SeedHistory() };
  return {
    clusters: new Informer({
      ...sharedBy(options),
      stream: 'clusters',
      path: clustersPath,
      pageSize: clusterPage,
      keeps: clusterParts,
      project: readCluster,
    }),
    /** Without the dependants of a kind that is not watched. */
    watched: options.config.dependants.flatMap((dependant): WatchedDependant<Value>[] => {
      const path = dependantPath(dependant);
      if (path === undefined) return [];
      return [
        { dependant, informer: new Informer({ ...ofOneName(options, path, dependant.ref.name), ...ofDependant }) },
      ];
    }),
  };
}

function sharedBy({ config: _config, ...ports }: SeedWatchOptions) {
  return { ...ports, limit: mostObjects };
}

function ofOneName(options: SeedWatchOptions, path: string, name: string) {
  return {
    ...sharedBy(options),
    stream: streamOf(path, name),
    path,
    query: { fieldSelector: `metadata.name=${name}` },
    pageSize: usualPage,
  };
}

/** The names of these streams, as notices and metrics have them. */
export function seedStreams(config: ProberConfig): readonly string[] {
  const ofSecrets = secretNames(config).map((name) => streamOf(secretsPath, name));
  const ofDependants = config.dependants.flatMap((dependant) => {
    const path = dependantPath(dependant);
    return path === undefined ? [] : [streamOf(path, dependant.ref.name)];
  });
  return ['clusters', ...ofSecrets, ...ofDependants];
}

const secretsPath = '/api/v1/secrets';

/** Undefined for a kind that is not watched. */
function dependantPath({ ref }: Dependant): string | undefined {
  const plural = appsPlural(ref);
  return plural === undefined ? undefined : `/apis/apps/v1/${plural}`;
}

function streamOf(path: string, name: string): string {
  return `${path.slice(path.lastIndexOf('/') + 1)}/${name}`;
}
