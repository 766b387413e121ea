import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';

/** An effect goes on for so long after the end of its machine: two requests of 15 s at most, which are not cut half-way (1.4). */
const outlives: Millis = 30_000;
/** What the seed has shown in an answer, the watch has to show within this time, for which a timer runs (6.6); and some slack for a clock that drifts. */
const awaited: Millis = 3_200;

type Command = Turn['commands'][number]['type'];

/** Which command each event answers. A reservation is answered within the turn. */
const answers: Readonly<Partial<Record<Turn['event']['type'], Command>>> = {
  'probe.answered': 'probe',
  'probe.failed': 'probe',
  'path.answered': 'askPath',
  'candidates.answered': 'listCandidates',
  'candidates.failed': 'listCandidates',
  'cluster.answered': 'readCluster',
  'scale.answered': 'scale',
  'read.answered': 'read',
  'deletion.answered': 'deletePod',
};
const answered: ReadonlySet<Command> = new Set(Object.values(answers));

/** A machine that lives, and the instants at which it commanded what was not answered yet. */
type Working = { readonly commands: Map<Command, Instant[]>; isOpen: boolean };

/** What one process has to do, by its turns. */
export class BoundsAccount {
  readonly machines: Map<string, Working> = new Map();
  #outlived: { readonly until: Instant; readonly count: number }[] = [];
  #awaited: Instant[] = [];
  #throttledAt: Instant = -Infinity;

  hear(turn: Turn, at: Instant): void {
    const { subject, event } = turn;
    if (event.type === 'started') this.machines.set(subject, { commands: new Map(), isOpen: false });
    const machine = this.machines.get(subject);
    if (machine === undefined) return;
    if (event.type === 'ended') {
      const count = [...machine.commands.values()].reduce((sum, { length }) => sum + length, 0);
      if (count > 0) this.#outlived.push({ until: at + outlives, count });
      this.machines.delete(subject);
      return;
    }
    const of = answers[event.type];
    if (of !== undefined) machine.commands.get(of)?.shift();
    if (of === 'scale' || of === 'read') this.#awaited.push(at + awaited);
    for (const { type } of turn.commands) {
      if (!answered.has(type)) continue;
      const same = machine.commands.get(type);
      if (same === undefined) machine.commands.set(type, [at]);
      else same.push(at);
    }
    if (turn.kind === 'weeder') machine.isOpen = turn.to === 'recovering' || turn.to === 'relapsed';
  }

  /** The seed asked to wait, so all that is not urgent begins to wait anew (6.12). */
  throttled(at: Instant): void {
    this.#throttledAt = at;
  }

  /** A process that stood still could not answer anything. */
  resumed(at: Instant): void {
    for (const { commands } of this.machines.values()) for (const since of commands.values()) since.fill(at);
  }

  /** Effects that go on, though their machines are no more. */
  outlived(now: Instant): number {
    this.#outlived = this.#outlived.filter(({ until }) => until > now);
    return this.#outlived.reduce((sum, { count }) => sum + count, 0);
  }

  /** Versions that the seed has shown in an answer, and for which a timer runs. */
  awaited(now: Instant): number {
    this.#awaited = this.#awaited.filter((until) => until > now);
    return this.#awaited.length;
  }

  /** Commands under way of these types, of all machines or of one. */
  underWay(types: readonly Command[], subject?: string): number {
    const machines = subject === undefined ? this.machines.values() : [this.machines.get(subject)];
    let count = 0;
    for (const machine of machines) for (const type of types) count += machine?.commands.get(type)?.length ?? 0;
    return count;
  }

  /** Since when the oldest command waits for its answer, and the seed has not asked to wait. */
  oldest(): Instant | undefined {
    let oldest: Instant | undefined;
    for (const { commands } of this.machines.values())
      for (const [at = Infinity] of commands.values()) if (at < (oldest ?? Infinity)) oldest = at;
    return oldest === undefined ? undefined : Math.max(oldest, this.#throttledAt);
  }

  /** Namespaces in which a window is open. */
  openNamespaces(): number {
    const open = [...this.machines].filter(([, { isOpen }]) => isOpen);
    return new Set(open.map(([subject]) => subject.split('/')[0])).size;
  }
}
