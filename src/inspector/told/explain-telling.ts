import type { Language, PlainOf } from '../../machines/pure-machine.ts';
import type { Fact, JudgedLease } from './explanation.ts';
import type { GuardWords } from './guard-words.ts';
import type { Trace } from './traced-machine.ts';

/** How the turns of one kind of machine are explained. */
export type MachineTelling<Spoken extends Language> = Readonly<{
  trace(before: PlainOf<Spoken>, event: Spoken['Event']): Trace<Spoken>;
  /** Whether a transition of this state of the chart moves what is shown as the machine's state. */
  decides(state: string): boolean;
  words(guard: string): GuardWords<unknown, unknown>;
  decision(event: Spoken['Event'], trace: Trace<Spoken>): readonly Fact[];
  leases(event: Spoken['Event'], trace: Trace<Spoken>): Readonly<{ leases: readonly JudgedLease[]; leftOut: number }>;
}>;
