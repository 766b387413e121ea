import { runProgram } from '../control-plane/run-program.ts';
import { findProgram, type FindOptions } from '../programs/find-program.ts';
import type { ProgramName } from '../programs/wanted-programs.ts';
import type { Manifest, Release, Rendering } from './rendering.ts';

const renderers = {
  'v1.130.0': 'gardenlet-renders-v1.130.0',
  'v1.136.2': 'gardenlet-renders',
} as const satisfies Readonly<Record<Release, ProgramName>>;

/** What gardenlet of a release deploys. Rejects with ProgramMissing where Gardener's code cannot be built. */
export async function askForObjects(release: Release, options?: FindOptions): Promise<Rendering> {
  const answer = await runProgram(await findProgram(renderers[release], options), ['objects']);
  const rendered = JSON.parse(answer) as Rendering;
  const { prober, weeder, accessInSeed, accessInShoot, ...rest } = rendered;
  return {
    ...rest,
    prober: inOrder(prober),
    weeder: inOrder(weeder),
    accessInSeed: inOrder(accessInSeed).map(readable),
    accessInShoot: inOrder(accessInShoot),
  };
}

/** The definitions of Gardener's kinds that the watchdog needs in a seed. */
export async function askForKinds(options?: FindOptions): Promise<readonly Manifest[]> {
  return JSON.parse(
    await runProgram(await findProgram('gardenlet-renders', options), ['kinds']),
  ) as readonly Manifest[];
}

/** What gardenlet makes of the control plane of a shoot. */
export type Reading = Readonly<{
  /** The Deployments for which shoot-care sets ControlPlaneHealthy to False, with the reason ControllersScaledDown. */
  scaledDown: readonly string[];
  /** With how many replicas a reconciliation of the shoot would deploy each of them. */
  replicas: Readonly<Record<string, number>>;
}>;

/** Lets Gardener's own code read the seed of a kubeconfig. `program`: the path of `gardenlet-reads`. */
export async function readByGardener(program: string, kubeconfig: string, namespace: string): Promise<Reading> {
  return JSON.parse(await runProgram(program, [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`])) as Reading;
}

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

/** A Secret's text as text, which an API server takes as well. */
function readable(object: Manifest): Manifest {
  const { data, ...rest } = object;
  if (object.kind !== 'Secret') return object;
  const texts = Object.entries(data as Readonly<Record<string, string>>).map(
    ([key, value]) => [key, Buffer.from(value, 'base64').toString()] as const,
  );
  return { ...rest, stringData: Object.fromEntries(texts) };
}

/** A ManagedResource keeps its objects in no order. */
function inOrder(objects: readonly Manifest[]): readonly Manifest[] {
  return objects.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}
