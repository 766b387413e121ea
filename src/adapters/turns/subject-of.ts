import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import { serviceOf, type ServiceKey } from '../../domain/weeder/service-ref.ts';

/** What a machine is there for. A namespace holds no slash, and a service's key does: no two subjects meet. */
export type Subject = ShootNamespace | ServiceKey;

/** Any turn, as it came or as the journal kept it. */
type OfSubject = Readonly<{ shoot: ShootNamespace }> | Readonly<{ service: ServiceKey }>;

/** `shoot--dev--one`, or `shoot--dev--one/kube-apiserver`. */
export function subjectOf(turn: OfSubject): Subject {
  return 'shoot' in turn ? turn.shoot : turn.service;
}

/** Of the seed, in which the shoot's control plane is, or the service. */
export function namespaceOf(turn: OfSubject): ShootNamespace {
  return 'shoot' in turn ? turn.shoot : serviceOf(turn.service).namespace;
}
