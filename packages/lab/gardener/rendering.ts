import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The releases of Gardener whose code was asked, the oldest first. Newer ones cannot be built from what is published of them. */
export const releases = ['v1.130.0', 'v1.136.2'] as const;

export type Release = (typeof releases)[number];

export const newest = 'v1.136.2' satisfies Release;

/** An object as it is applied. */
export type Manifest = Readonly<{
  apiVersion: string;
  kind: string;
  metadata: Readonly<{
    name: string;
    namespace?: string;
    labels?: Readonly<Record<string, string>>;
    annotations?: Readonly<Record<string, string>>;
  }>;
}> &
  Readonly<Record<string, unknown>>;

/** What gardenlet deploys, as Gardener's own code says it. The image is a placeholder. */
export type Rendering = Readonly<{
  gardener: string;
  /** The Go watchdog whose types it was rendered with. */
  watchdog: string;
  /** In the namespace `garden` of a seed. */
  prober: readonly Manifest[];
  weeder: readonly Manifest[];
  /** For one shoot, in its namespace of the seed. */
  accessInSeed: readonly Manifest[];
  /** For one shoot, in the shoot. */
  accessInShoot: readonly Manifest[];
}>;

/** Where a rendering is committed, so that tests and pages need no Go. `npm run check -- gardenlet` says whether it is still what Gardener prints. */
export const renderingFile = (release: Release): string =>
  new URL(`gardenlet-${release}.yaml`, import.meta.url).pathname;

export function renderingOf(release: Release): Rendering {
  return parse(readFileSync(renderingFile(release), 'utf8')) as Rendering;
}

/** The one object of this kind. */
export function theOnly(objects: readonly Manifest[], kind: string): Manifest {
  const [found, ...more] = objects.filter((one) => one.kind === kind);
  if (found === undefined || more.length > 0) throw new Error(`${more.length + (found ? 1 : 0)} objects are a ${kind}`);
  return found;
}
