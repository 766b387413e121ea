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

/** How the lead came to a process. `free`: nobody was seen to have it. `released`: who had it gave it back. `ranOut`: who had it did not renew its Lease. */
const takenHow = ['free', 'released', 'ranOut', 'noElection'] as const;

/** The time in which one process leads, as it says itself at the head of its journal (SPEC 9.6). */
export const Tenure = z.object({
  /** The process as the Lease names it, `POD_UUID`; without an election, its host. */
  identity: z.string(),
  tookAt: z.number(),
  how: z.enum(takenHow),
  /** Who led before; absent where it saw nobody lead. */
  from: z.string().optional(),
  /** Absent while it leads, and of a process that could not say it. */
  ended: z.object({ at: z.number(), why: z.string() }).optional(),
});

export type Tenure = Readonly<z.infer<typeof Tenure>>;

/** The first line of each chapter (a file, or a part of the journal in memory), and the last one of a process that has led (SPEC 9.6). */
export const Header = z.object({
  journal: z.number(),
  program: z.string(),
  version: z.string(),
  /** Names one run of the process: `seq` counts within it. */
  run: z.string(),
  openedAt: z.number(),
  /** As the program works by it, defaults filled in; for the reader, each machine's own is in its first turn. */
  configuration: z.unknown(),
  /** Since when the process leads; absent before it does, and in journals of older programs. */
  lead: Tenure.optional(),
});

/** Whether a process leads. `elects`: it takes part in an election. Without one it leads while it sees the seed. */
export type ProcessLead = Readonly<{ leads: boolean; elects: boolean }>;
