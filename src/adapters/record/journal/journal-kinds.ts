import * as z from 'zod';
import { serviceOf } from '../../../domain/weeder/service-ref.ts';
import type { TurnOf } from '../../../effects/turn.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { Language } from '../../../machines/pure-machine.ts';

/** What a line about one kind of machine may hold. */
export type JournalKindOf<Spoken extends Language> = Readonly<{
  subject: z.ZodType<Spoken['Subject']>;
  /** Of the seed, in which the subject's control plane is. */
  namespaceOf(subject: Spoken['Subject']): string;
  events: Readonly<Record<TurnOf<Spoken>['event']['type'], true>>;
  states: Readonly<Record<Spoken['State'], true>>;
}>;

export const journalKinds: { readonly [Kind in keyof Languages]: JournalKindOf<Languages[Kind]> } = {
  shoot: {
    subject: z.string(),
    namespaceOf: (shoot) => shoot,
    events: {
      started: true,
      ended: true,
      'cluster.changed': true,
      'cluster.gone': true,
      'cluster.watched': true,
      'dependant.changed': true,
      'dependant.watched': true,
      woken: true,
      'probe.answered': true,
      'probe.failed': true,
      'probe.reserved': true,
      'candidates.answered': true,
      'candidates.failed': true,
      'path.answered': true,
      'cluster.answered': true,
      'scale.answered': true,
      'read.answered': true,
    },
    states: { idle: true, probing: true, leaseFailed: true, scalingDown: true, scaledDown: true, scalingUp: true },
  },
  weeder: {
    subject: z.templateLiteral([z.string().min(1), '/', z.string().min(1)]),
    namespaceOf: (service) => serviceOf(service).namespace,
    events: {
      started: true,
      ended: true,
      'slices.changed': true,
      'service.gone': true,
      woken: true,
      'pod.changed': true,
      'pod.gone': true,
      'deletion.answered': true,
    },
    states: { down: true, recovering: true, relapsed: true, settled: true },
  },
};
