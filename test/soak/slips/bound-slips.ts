import type { SoakSlip } from './soak-slip.ts';

/** Something that waits, or is kept, and grows: nothing is decided wrongly, and after days or months the process comes to its end. */
export const boundSlips: readonly SoakSlip[] = [
  {
    file: 'src/effects/shared-effects.ts',
    find: 'replaced$.next();',
    put: 'replaced$.next();\n      clock.wakeAt(at).subscribe();',
    says: 'each wake leaves a second timer that nobody hears',
  },
  {
    file: 'src/adapters/clock/deadline.ts',
    find: 'deadline.unsubscribe();',
    put: 'void deadline;',
    says: 'the deadline of a question outlives its answer',
  },
  {
    file: 'src/adapters/reflector/informer.ts',
    find: 'this.#clock.wakeAt(this.#clock.now() + longestLag)',
    put: 'this.#clock.wakeAt(this.#clock.now() + 100 * longestLag)',
    says: 'what a watch has to show is waited for far longer than it may take',
  },
  {
    file: 'src/adapters/seed-client/slowdown.ts',
    find: 'this.#whole?.unsubscribe();',
    put: '',
    says: 'each 429 leaves the timer of the one before',
  },
  {
    file: 'src/adapters/election/leader-election.ts',
    find: 'this.#standby.abort();\n    this.#leadership.next',
    put: 'this.#leadership.next',
    says: 'a leader goes on watching its Lease',
  },
  {
    file: 'src/adapters/seed-client/undici-kube-client.ts',
    find: 'leave();\n    }\n  }\n\n  async *pieces',
    put: 'void leave;\n    }\n  }\n\n  async *pieces',
    says: 'a request that was answered keeps its place',
  },
  {
    file: 'src/adapters/seed-client/undici-kube-client.ts',
    find: 'watches.delete(cut);\n      cut.abandon();',
    put: 'watches.delete(cut);',
    says: 'a watch that told nonsense stays open',
    explained:
      'whoever stops reading an answer destroys its body, which closes the connection as well; no test sees it either',
  },
  {
    file: 'src/adapters/seed-client/seed-connection.ts',
    find: 'void dispatcher.close().catch(() => undefined);',
    put: '',
    says: 'connections that were replaced stay open',
  },
  {
    file: 'src/effects/abortable.ts',
    find: 'if (!isOver) abort.abort();',
    put: 'void isOver;',
    says: 'a question goes on when its machine has ended',
  },
  {
    file: 'src/effects/weeder-effects.ts',
    find: 'left$.next(number);',
    put: 'void number;',
    says: 'a window that closed keeps its watch on the pods',
  },
  {
    file: 'src/effects/supervise.ts',
    find: 'return taken.event?.type === departure ? [turn, goneTurn(taken.event.at)] : [turn];',
    put: 'return [turn];',
    says: 'nobody is told that the machine of a shoot that is gone has ended',
  },
  {
    file: 'src/adapters/metrics/shoot-turn-metrics.ts',
    find: "if (event.because === 'gone') removeSeries(shoot);",
    put: "if (event.because === 'bug') removeSeries(shoot);",
    says: 'the failures of a shoot that is gone stay in the metrics',
  },
  {
    file: 'src/adapters/metrics/shoot-turn-metrics.ts',
    find: 'metrics.shootState.remove({ shoot, state: to });\n        end(shoot);',
    put: 'end(shoot);',
    says: 'the state of a shoot that is gone stays in the metrics',
  },
  {
    file: 'src/adapters/metrics/turn-metrics.ts',
    find: "if (event.because === 'gone') metrics.podsWeeded",
    put: "if (event.because === 'bug') metrics.podsWeeded",
    says: 'the count of a service that is gone stays in the metrics',
  },
  {
    file: 'src/adapters/journal/memory-journal.ts',
    find: 'if (open.length > 1 && isFull) seal();',
    put: 'if (open.length === 1 && isFull) seal();',
    says: 'a chapter in memory is never closed',
  },
];
