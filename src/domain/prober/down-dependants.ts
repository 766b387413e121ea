import type { DependantKey } from './dependant.ts';
import { readRecord } from './due-change.ts';
import type { KnownDependant } from './scale-step.ts';

/** A dependant that stands at 0. `ours`: it carries the watchdog's mark. */
export type DownDependant = Readonly<{
  key: DependantKey;
  by: 'ours' | 'others';
  /** As many replicas as it will get back, where they are recorded and readable. */
  recorded?: number;
}>;

/** Those of a shoot that stand at 0, and by whose hand. What others took out of our hands (SPEC 6.7) does not count. */
export function downDependants(known: Readonly<Record<DependantKey, KnownDependant>>): readonly DownDependant[] {
  return Object.entries(known).flatMap(([key, { view }]): readonly DownDependant[] => {
    if (view?.found !== true || view.ignored || view.replicas !== 0) return [];
    const recorded = view.marked ? readRecord(view.record) : undefined;
    return [{ key, by: view.marked ? 'ours' : 'others', ...(recorded === undefined ? {} : { recorded }) }];
  });
}
