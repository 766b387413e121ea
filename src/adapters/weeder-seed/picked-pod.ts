import { labelsOf, readSelector } from '../../domain/read-selector.ts';
import { readPod, type PodView } from '../../domain/weeder/pod.ts';
import type { PodSelector } from '../../domain/weeder/weeder-config.ts';

/** A pod, and which selectors pick it. `view` is undefined where the pod could not be read. */
export type PickedPod = Readonly<{ view: PodView | undefined; by: ReadonlySet<PodSelector> }>;

/** Judges pods by all selectors of a configuration. */
export type PodPicking = Readonly<{
  /** Some selector picks it. */
  selects: (object: unknown) => boolean;
  project: (object: unknown) => PickedPod;
  /** Throws where one of them is none of the configuration: its pods are not kept. */
  expect: (selectors: readonly PodSelector[]) => void;
}>;

/** The selectors must be such as Kubernetes takes; those of a configuration are (SPEC 7). */
export function podPicking(selectors: readonly PodSelector[]): PodPicking {
  const read = [...new Set(selectors)].map((selector) => {
    const one = readSelector(selector);
    if ('problem' in one) throw new Error(`the selector of pods ${selector}: ${one.problem}`);
    return { selector, selects: one.selects };
  });
  const known = new Set(selectors);
  return {
    selects: (object) => read.some(({ selects }) => selects(labelsOf(object))),
    project: (object) => {
      const labels = labelsOf(object);
      const by = read.filter(({ selects }) => selects(labels)).map(({ selector }) => selector);
      return { view: readPod(object), by: new Set(by) };
    },
    expect: (asked) => {
      const strange = asked.find((selector) => !known.has(selector));
      if (strange !== undefined) throw new Error(`no pods are kept for the selector ${strange}`);
    },
  };
}
