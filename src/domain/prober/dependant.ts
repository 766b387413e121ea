import type { Millis } from '../time.ts';

/** Names one scalable resource in the shoot's namespace. */
export type DependantRef = Readonly<{ apiVersion: string; kind: string; name: string }>;

/** `apps/v1/Deployment/kube-controller-manager`: one dependant within a shoot, as context, events and journal key it. */
export type DependantKey = string & { readonly __name?: 'dependant' };

export type ScaleStep = Readonly<{ level: number; initialDelay: Millis; timeout: Millis }>;

/** A resource that a cut-off shoot must do without (SPEC 2, dependentResourceInfos). */
export type Dependant = Readonly<{
  key: DependantKey;
  ref: DependantRef;
  optional: boolean;
  scaleUp: ScaleStep;
  scaleDown: ScaleStep;
}>;

export function dependantKey(ref: DependantRef): DependantKey {
  return `${ref.apiVersion}/${ref.kind}/${ref.name}`;
}

/** Kinds of `apps/v1` carry annotations and replicas in one object, so one guarded write changes both (SPEC 6.6). */
export function writesAtOnce(ref: DependantRef): boolean {
  return ref.apiVersion === 'apps/v1';
}
