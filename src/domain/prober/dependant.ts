import type { Millis } from '../time.ts';

export type DependantKind = Readonly<{ apiVersion: string; kind: string }>;

/** Names one scalable resource in the shoot's namespace. */
export type DependantRef = DependantKind & Readonly<{ name: string }>;

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

/** As what is treated that carries our mark, and that no configuration names: it comes after everything that has a level. */
export function strayDependant(ref: DependantRef): Dependant {
  const last: ScaleStep = { level: Number.MAX_SAFE_INTEGER, initialDelay: 0, timeout: 0 };
  return { key: dependantKey(ref), ref, optional: true, scaleUp: last, scaleDown: last };
}

/** Kinds of `apps/v1` carry annotations and replicas in one object, so one guarded write changes both (SPEC 6.6). */
export function writesAtOnce(ref: DependantKind): boolean {
  return ref.apiVersion === 'apps/v1';
}
