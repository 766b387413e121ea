import type { PresentResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import { unknown, type KnownDependant } from 'dependency-watchdog/domain/prober/scale-step.ts';

/** A resource that runs at two replicas, unless the options say otherwise; its status is up to date. */
export function present(change: Partial<PresentResource> = {}): PresentResource {
  return {
    found: true,
    resourceVersion: '10',
    replicas: 2,
    readyReplicas: 2,
    observed: true,
    marked: false,
    ignored: false,
    ...change,
  };
}

/** The resource as a finished scale-down leaves it. */
export function shielded(change: Partial<PresentResource> = {}): PresentResource {
  return present({ replicas: 0, readyReplicas: 0, marked: true, record: '2', ...change });
}

/** What a machine knows of a watched resource, with nothing under way. */
export function knownAs(
  view: KnownDependant['view'],
  change: Partial<Omit<KnownDependant, 'view'>> = {},
): KnownDependant {
  const belief = view === null ? { view } : { view, outdated: false };
  return { ...unknown, live: true, ...belief, ...change };
}
